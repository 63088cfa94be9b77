extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}
#define FOUR(x) ((((x))))
#define MANY(x) FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(x))))))))
int main(void) {
    if (MANY(MANY(MANY(MANY(MANY(MANY(MANY(MANY(MANY(__VERIFIER_nondet_int()))))))))) == 3)
        reach_error();
    return 0;
}
