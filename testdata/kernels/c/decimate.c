/* Keeps the largest of each group of three samples.
 * Special: steps of three, a rest group that is shorter, result written in place.
 * Sizes: 0 1 8 10 */
int decimate(int *x, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i += 3) {
        int best = x[i];
        if (i + 1 < n && x[i + 1] > best)
            best = x[i + 1];
        if (i + 2 < n && x[i + 2] > best)
            best = x[i + 2];
        x[kept++] = best;
    }
    return kept;
}
