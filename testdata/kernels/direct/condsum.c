/* Sum of the elements above a threshold.
 * Special: a condition from the data inside the recurrence.
 * Sizes: 0 1 8 33 */
int condsum(const int *a, int t, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > t)
            sum += a[i];
    return sum;
}
