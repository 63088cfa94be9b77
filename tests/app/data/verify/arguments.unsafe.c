extern void reach_error(void);

/* argv[argc] is null: what is in argv is not modelled, but to read it is no mistake. */
int main(int argc, char **argv) {
    if (argc > 0 && !argv[1])
        reach_error();
    return 0;
}
