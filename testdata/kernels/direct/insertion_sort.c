/* Insertion sort of the first n elements, at most N, smallest first.
 * Special: how far an element moves depends on the data; loads and stores of one array whose order matters.
 * Sizes: 0 1 8 30 */
#ifndef N
#define N 30
#endif

void insertion_sort(int a[N], int n)
{
    for (int i = 1; i < n; i++) {
        int moved = a[i], at = i;
        for (; at > 0 && a[at - 1] > moved; at--)
            a[at] = a[at - 1];
        a[at] = moved;
    }
}
