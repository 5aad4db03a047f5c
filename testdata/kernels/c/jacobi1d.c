/* Smoothing by the mean of three neighbours, several rounds.
 * Special: two arrays exchange their roles each round by pointers, the ends stay.
 * Sizes: 0 1 8 */
void jacobi1d(int *a, int *b, int n, int rounds)
{
    int *from = a, *to = b;
    for (int t = 0; t < rounds; t++) {
        for (int i = 0; i < n; i++)
            to[i] = i > 0 && i < n - 1 ? (from[i - 1] + from[i] + from[i + 1]) / 3 : from[i];
        int *swap = from;
        from = to;
        to = swap;
    }
}
