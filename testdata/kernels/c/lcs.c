/* Length of the longest common subsequence of two texts of at most 15 characters.
 * Special: a two-dimensional local array with a border, three neighbours per cell.
 * Sizes: 0 1 8 */
#define MOST 15

int lcs(const signed char *a, int n, const signed char *b, int m)
{
    int t[MOST + 1][MOST + 1];
    n = n > MOST ? MOST : n;
    m = m > MOST ? MOST : m;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            if (i == 0 || j == 0)
                t[i][j] = 0;
            else if (a[i - 1] >> 4 == b[j - 1] >> 4)
                t[i][j] = t[i - 1][j - 1] + 1;
            else
                t[i][j] = t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
    return t[n][m];
}
