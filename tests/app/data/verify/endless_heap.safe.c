extern void *malloc(unsigned int);
void reach_error(void) {
}
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    while (*p > 0)
        p[0] = 2;
    reach_error();
}
