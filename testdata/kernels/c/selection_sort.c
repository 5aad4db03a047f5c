/* Selection sort, largest first.
 * Special: the position of the extreme value is carried through the inner loop.
 * Sizes: 0 1 8 */
void selection_sort(unsigned short *a, unsigned n)
{
    for (unsigned i = 0; i + 1 < n; i++) {
        unsigned best = i;
        for (unsigned j = i + 1; j < n; j++)
            if (a[j] > a[best])
                best = j;
        if (best != i) {
            unsigned short t = a[i];
            a[i] = a[best];
            a[best] = t;
        }
    }
}
