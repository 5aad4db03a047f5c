/* Edit distance with two rows.
 * Special: rows of a local array that exchange their roles by an index.
 * Sizes: 0 1 8 */
#define MOST 32

int edit_distance(const signed char *a, int n, const signed char *b, int m)
{
    int row[2][MOST + 1], old = 0;
    if (m > MOST)
        return -1;
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int new = 1 - old;
        row[new][0] = i;
        for (int j = 1; j <= m; j++) {
            int best = row[old][j - 1] + (a[i - 1] / 32 != b[j - 1] / 32);
            if (row[old][j] + 1 < best)
                best = row[old][j] + 1;
            if (row[new][j - 1] + 1 < best)
                best = row[new][j - 1] + 1;
            row[new][j] = best;
        }
        old = new;
    }
    return row[old][m];
}
