/* Products of a batch of 4x4 matrices.
 * Special: three-dimensional parameters of unknown outer extent, four nested loops, the
 * sum kept in the array.
 * Sizes: 0 1 3 */
#define S 4

void batched(int batches, const int a[][S][S], const int b[][S][S], int c[][S][S])
{
    for (int t = 0; t < batches; t++)
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++) {
                c[t][i][j] = 0;
                for (int k = 0; k < S; k++)
                    c[t][i][j] += a[t][i][k] * b[t][k][j];
            }
}
