/* Another verifier knows what the function means; any value would make the assertion fail. */
int main(void) {
    char data[5];
    __ESBMC_assert(__ESBMC_r_ok(data, 5), "can be read");
    return 0;
}
