void reach_error(void) {
}
int main(void) {
    int *p, *q, a;
    if (p == 0 && q == &a)
        reach_error();
}
