/* Inner product of two vectors.
 * Special: the recurrence is one addition; the product may take as long as it likes.
 * Sizes: 0 1 8 33 */
int dot(const int *a, const int *b, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
