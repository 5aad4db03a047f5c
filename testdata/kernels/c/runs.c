/* Lengths of the runs of set pixels; returns how many there are.
 * Special: two inner loops whose bounds come from the data and that share the outer counter.
 * Sizes: 0 1 8 16 */
int runs(const signed char *pixels, int n, int *length)
{
    int count = 0, i = 0;
    while (i < n) {
        while (i < n && pixels[i] <= 0)
            i++;
        int start = i;
        while (i < n && pixels[i] > 0)
            i++;
        if (i > start)
            length[count++] = i - start;
    }
    return count;
}
