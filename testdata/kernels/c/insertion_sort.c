/* Insertion sort.
 * Special: the trip count of the inner loop depends on the data; a load guarded by the bound.
 * Sizes: 0 1 8 */
void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i], j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}
