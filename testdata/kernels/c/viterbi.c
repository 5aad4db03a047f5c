/* Most likely path through four states, costs as integers.
 * Special: three-dimensional local decisions, minimum with position, trace back downwards.
 * Sizes: 0 1 8 */
#define STATES 4
#define LONGEST 16

static const unsigned char step_cost[STATES][STATES] = {{1, 4, 9, 6}, {5, 2, 3, 8}, {7, 6, 1, 2}, {2, 9, 5, 3}};

int viterbi(const unsigned char *seen, int n, unsigned char *path)
{
    int cost[STATES] = {0, 3, 3, 5};
    unsigned char back[LONGEST][STATES];
    if (n > LONGEST)
        n = LONGEST;
    for (int t = 0; t < n; t++) {
        int next[STATES];
        for (int s = 0; s < STATES; s++) {
            int best = 1 << 20, from = 0;
            for (int p = 0; p < STATES; p++) {
                int c = cost[p] + step_cost[p][s];
                if (c < best) {
                    best = c;
                    from = p;
                }
            }
            back[t][s] = (unsigned char)from;
            next[s] = best + ((seen[t] & 3) == s ? 0 : 4);
        }
        for (int s = 0; s < STATES; s++)
            cost[s] = next[s];
    }
    int at = 0;
    for (int s = 1; s < STATES; s++)
        if (cost[s] < cost[at])
            at = s;
    int total = cost[at];
    for (int t = n - 1; t >= 0; t--) {
        path[t] = (unsigned char)at;
        at = back[t][at];
    }
    return total;
}
