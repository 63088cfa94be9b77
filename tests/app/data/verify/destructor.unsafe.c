extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}

__attribute__((destructor)) static void finish(void) {
    reach_error();
}
int main(void) {
    return __VERIFIER_nondet_int();
}
