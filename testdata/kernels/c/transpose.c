/* Transposes a square matrix in place.
 * Special: the upper triangle swaps with the lower one through a macro.
 * Sizes: 8 */
#include "include/shape.h"

#define SWAP(a, b) do { int t = (a); (a) = (b); (b) = t; } while (0)

void transpose(int a[N][N])
{
    for (unsigned i = 0; i + 1 < N; i++)
        for (unsigned j = i + 1; j < N; j++)
            SWAP(a[i][j], a[j][i]);
}
