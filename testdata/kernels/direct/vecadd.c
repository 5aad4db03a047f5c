/* Sum of two vectors.
 * Special: three memories, no recurrence; one element per cycle is the bound of each memory port.
 * Sizes: 0 1 8 33 */
void vecadd(const int *a, const int *b, int *restrict c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
