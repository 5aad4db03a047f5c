/* Sum of the elements of one array where another one is above a threshold.
 * Special: a load that happens only where the data of another load say so.
 * Sizes: 0 1 8 33 */
int condload(const int *a, const int *b, int t, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > t)
            sum += b[i];
    return sum;
}
