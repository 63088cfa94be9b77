void reach_error(void) {
}
extern int *find(int key);
int main(void) {
    int a = 1, *p = find(3);
    if (p == &a || p)
        return 0;
    reach_error();
}
