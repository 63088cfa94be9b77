void reach_error(void) {
}
int main(void) {
    int a[1], b[1];
    for (int i = 0; i < 1; i++)
        b[i] = a[i];
    if (a[0] != b[0])
        reach_error();
    return 0;
}
