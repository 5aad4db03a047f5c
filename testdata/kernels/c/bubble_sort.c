/* Bubble sort that stops after a pass without a swap; returns the passes.
 * Special: do-while around a for loop, a flag as its condition.
 * Sizes: 0 1 8 */
#include <stdbool.h>

int bubble_sort(short *a, int n)
{
    int passes = 0;
    bool swapped;
    do {
        swapped = false;
        for (int i = 1; i < n; i++)
            if (a[i - 1] > a[i]) {
                short t = a[i];
                a[i] = a[i - 1];
                a[i - 1] = t;
                swapped = true;
            }
        passes++;
        n--;
    } while (swapped);
    return passes;
}
