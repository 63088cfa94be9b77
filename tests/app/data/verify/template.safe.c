/* Hints for other tools: types and functions that have no influence. */
void __CPROVER_template(__CPROVER_bool hint) {
}
int __CPROVER_template_newvar(int x) {
    return x;
}
extern int __CPROVER_template_param_int();

int main(void) {
    int x = 0;
    while (x < 10) {
        __CPROVER_template(x <= __CPROVER_template_param_int());
        __CPROVER_template(__CPROVER_template_newvar(x) > x);
        x++;
    }
    __CPROVER_assert(x == 10, "ten");
    return 0;
}
