/* Prefix sums from one array into another.
 * Special: every value of the recurrence is stored.
 * Sizes: 0 1 8 33 */
void psum(const int *a, int *restrict b, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i];
        b[i] = sum;
    }
}
