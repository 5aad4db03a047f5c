/* Forward substitution: solves L x = b for a lower triangular matrix.
 * Special: triangular inner loop that does not run in the first row; float division.
 * Sizes: 8 */
#include "include/shape.h"

void trisolve(const float l[N][N], const float b[N], float x[N])
{
    for (int i = 0; i < N; i++) {
        float rest = b[i];
        for (int j = 0; j < i; j++)
            rest -= l[i][j] * x[j];
        x[i] = rest / l[i][i];
    }
}
