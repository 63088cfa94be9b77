/* Nothing declares it: the name says what it returns. */
int main(void) {
    double x = nondet_double();
    __ESBMC_assume(__builtin_isunordered(x, 0.0));
    __ESBMC_assert(__builtin_isgreaterequal(x, 0.0), "not a number is not above zero");
    return 0;
}
