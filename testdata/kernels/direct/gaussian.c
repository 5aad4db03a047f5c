/* Elimination below the diagonal of a matrix of N rows whose row 0 and column 0 stay out: from every row below row j goes
 * the j-th factor times row j. Returns the sum of the columns touched.
 * Special: triangular loops over one array that is read twice and written once per iteration; every read meets
 * an element that an iteration far before has stored.
 * Sizes: 20 */
#ifndef N
#define N 20
#endif

unsigned gaussian(const int factor[N], int m[restrict N][N])
{
    unsigned sum = 0;
    for (int j = 1; j <= N - 2; j++)
        for (int i = j + 1; i <= N - 2; i++)
            for (int k = 1; k <= N - 1; k++) {
                m[i][k] -= factor[j] * m[j][k];
                sum += k;
            }
    return sum;
}
