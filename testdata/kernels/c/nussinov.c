/* Most pairs in a folded sequence of bases, by dynamic programming over intervals.
 * Special: the outer loop counts down, conditions on the distance of the indices, a maximum in the table itself.
 * Sizes: 8 */
#define N 8

void nussinov(const signed char bases[restrict N], int table[restrict N][N])
{
    for (int i = N - 1; i >= 0; i--)
        for (int j = i + 1; j < N; j++) {
            int best = table[i][j];
            if (table[i][j - 1] > best)
                best = table[i][j - 1];
            if (i + 1 < N) {
                if (table[i + 1][j] > best)
                    best = table[i + 1][j];
                int pair = table[i + 1][j - 1] + (i < j - 1 && (bases[i] & 3) + (bases[j] & 3) == 3);
                if (pair > best)
                    best = pair;
            }
            table[i][j] = best;
            for (int k = i + 1; k < j; k++)
                if (table[i][k] + table[k + 1][j] > table[i][j])
                    table[i][j] = table[i][k] + table[k + 1][j];
        }
}
