/* Shell sort with halved gaps.
 * Special: three loops, outer one divides, inner ones step by its value.
 * Sizes: 0 1 8 */
void shell_sort(float *a, int n)
{
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++) {
            float x = a[i];
            int j;
            for (j = i; j >= gap && a[j - gap] > x; j -= gap)
                a[j] = a[j - gap];
            a[j] = x;
        }
}
