extern void *__VERIFIER_nondet_pointer(void);
void reach_error(void) {
}
int main(void) {
    void *p = __VERIFIER_nondet_pointer();
    if (!p)
        reach_error();
    return 0;
}
