/* It cannot be linked: the C library has another `errno`. No run is confirmed by a program that
 * does not exist. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int errno;
int main(void) {
    if (__VERIFIER_nondet_int() == 7)
        reach_error();
    return errno;
}
