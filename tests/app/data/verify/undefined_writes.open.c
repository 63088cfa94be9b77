/* A function without a body writes what it reaches, and calls what it is given. */
extern void reach_error(void);
struct node {
    int value;
    struct node *next;
    void (*told)(void);
};
void fill(struct node *first);
static int calls;

static void tell(void) {
    calls = 3;
}
int main(void) {
    struct node a = {1, 0, 0}, b = {2, &a, tell};
    a.next = &b;
    fill(&b);
    if (a.value == 5 || calls == 3)
        reach_error();
    return 0;
}
