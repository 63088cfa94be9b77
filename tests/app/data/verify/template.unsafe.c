/* A hint is no assumption. */
void __CPROVER_template(__CPROVER_bool hint) {
}
extern int __CPROVER_template_param_int();
int nondet_int();

int main(void) {
    int x = nondet_int();
    __CPROVER_template(x <= __CPROVER_template_param_int());
    __CPROVER_template(x > 0);
    __CPROVER_assert(x > 0, "above");
    return 0;
}
