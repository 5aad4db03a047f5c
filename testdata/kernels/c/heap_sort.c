/* Heap sort.
 * Special: a helper with a loop that is inlined twice, child indices 2i+1, break.
 * Sizes: 0 1 8 */
static void sift(int *a, int root, int end)
{
    for (;;) {
        int child = 2 * root + 1;
        if (child >= end)
            break;
        if (child + 1 < end && a[child] < a[child + 1])
            child++;
        if (a[root] >= a[child])
            return;
        int t = a[root];
        a[root] = a[child];
        a[child] = t;
        root = child;
    }
}

void heap_sort(int *a, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(a, i, n);
    for (int end = n - 1; end > 0; end--) {
        int t = a[0];
        a[0] = a[end];
        a[end] = t;
        sift(a, 0, end);
    }
}
