extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

extern void *malloc(unsigned int);
int main(void) {
    int *p = malloc(4);
    if (!p)
        return 0;
    *p = 3;
    if (*p != 3)
        reach_error();
    return 0;
}
