/* Binary search in a sorted array: the index or -1.
 * Special: three exits from the loop, an interval that halves.
 * Sizes: none */
int binary_search(const int *a, int n, int key)
{
    int low = 0, high = n - 1;
    while (low <= high) {
        int mid = low + (high - low) / 2;
        if (a[mid] == key)
            return mid;
        if (a[mid] < key)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}
