/* Largest sum of a contiguous part, with its position.
 * Special: results through two pointers besides the return value, unsigned sum of parts avoided.
 * Sizes: 1 8 */
int max_subarray(const int *x, int n, int *from, int *to)
{
    int best = 0, sum = 0, start = 0;
    *from = *to = 0;
    for (int i = 0; i < n; i++) {
        if (sum <= 0) {
            sum = 0;
            start = i;
        }
        sum += x[i];
        if (sum > best) {
            best = sum;
            *from = start;
            *to = i + 1;
        }
    }
    return best;
}
