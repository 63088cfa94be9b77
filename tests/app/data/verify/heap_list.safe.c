#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
struct node {
    int value;
    struct node *next;
};
static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(0);
    n->value = value;
    n->next = list;
    return n;
}
int main(void) {
    struct node *list = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    for (struct node *n = list; n; n = n->next)
        sum += n->value;
    if (sum != 3)
        reach_error();
    return 0;
}
