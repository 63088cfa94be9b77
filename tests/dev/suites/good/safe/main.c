int nondet_int(void);

int main(void) {
    int x = nondet_int();
    if (x > 3 && x < 6)
        __CPROVER_assert(x == 4 || x == 5, "between");
    return 0;
}
