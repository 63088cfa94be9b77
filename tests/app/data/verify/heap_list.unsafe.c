#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
struct node {
    int value;
    struct node *next;
};
int main(void) {
    struct node *list = 0;
    int n = __VERIFIER_nondet_uchar(), length = 0;
    for (int i = 0; i < n; i++) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    for (; list; list = list->next)
        length++;
    if (length == 20)
        reach_error();
    return 0;
}
