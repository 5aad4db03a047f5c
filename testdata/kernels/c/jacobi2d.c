/* Relaxation of a field by the mean of four neighbours, float.
 * Special: a local copy of the field by memcpy every round.
 * Sizes: 8 */
#include <string.h>

#include "include/shape.h"

void jacobi2d(float field[N][N], int rounds)
{
    float old[N][N];
    while (rounds-- > 0) {
        memcpy(old, field, sizeof old);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                field[i][j] = 0.25f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
    }
}
