/* Product of two square matrices of N rows.
 * Special: three loops whose bounds are known; rows of one matrix meet columns of the other.
 * Sizes: 30 */
#ifndef N
#define N 30
#endif

void matrix(int left[N][N], int right[N][N], int product[restrict N][N])
{
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            int sum = 0;
            for (int k = 0; k < N; k++)
                sum += left[row][k] * right[k][column];
            product[row][column] = sum;
        }
}
