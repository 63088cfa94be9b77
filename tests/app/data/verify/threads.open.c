extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
static int shared;
static void *work(void *unused) {
    shared = 1;
    return unused;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, work, 0);
    if (shared)
        reach_error();
    return 0;
}
