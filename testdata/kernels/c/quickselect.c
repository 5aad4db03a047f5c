/* The k-th smallest element, by partitioning in place; -1 where there is none.
 * Special: two scanning loops towards each other inside a loop, pivot from the data.
 * Sizes: 0 1 8 */
int quickselect(int *a, int n, int k)
{
    int low = 0, high = n - 1;
    if (k < 0 || k >= n)
        return -1;
    while (low < high) {
        int pivot = a[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return a[k];
}
