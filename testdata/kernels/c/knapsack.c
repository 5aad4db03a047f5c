/* Best value in a knapsack of capacity 31.
 * Special: the inner loop counts down to a weight from the data, the table is local.
 * Sizes: 0 1 8 */
#define CAPACITY 31

int knapsack(const unsigned char *weight, const unsigned short *value, int n)
{
    int best[CAPACITY + 1] = {0};
    for (int i = 0; i < n; i++) {
        int w = weight[i] % 16 + 1, v = value[i] & 255;
        for (int c = CAPACITY; c >= w; c--)
            if (best[c - w] + v > best[c])
                best[c] = best[c - w] + v;
    }
    return best[CAPACITY];
}
