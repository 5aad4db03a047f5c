/* Least number of products for a chain of seven matrices.
 * Special: loops over length, position and split; a two-dimensional local array half used.
 * Sizes: 8 */
#define COUNT 7

int matrix_chain(const unsigned char dim[COUNT + 1])
{
    int cost[COUNT][COUNT] = {{0}};
    for (int len = 2; len <= COUNT; len++)
        for (int i = 0; i + len <= COUNT; i++) {
            int j = i + len - 1, best = 0x7fffffff;
            for (int k = i; k < j; k++) {
                int c = cost[i][k] + cost[k + 1][j] + dim[i] * dim[k + 1] * dim[j + 1];
                if (c < best)
                    best = c;
            }
            cost[i][j] = best;
        }
    return cost[0][COUNT - 1];
}
