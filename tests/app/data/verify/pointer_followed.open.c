/* What lies in p may be the address of q's object: nothing is known of what is written. */
void reach_error(void) {
}
int main(void) {
    int *p, a = 1, *q = &a;
    *p = 2;
    if (*q == 2)
        reach_error();
}
