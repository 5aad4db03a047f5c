/* Prefix sums in place.
 * Special: an iteration reads what the one before it has stored: a recurrence through memory unless the value is forwarded.
 * Sizes: 0 1 8 33 */
void psumip(int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}
