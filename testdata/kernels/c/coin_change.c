/* Ways to pay each amount below n with coins of a constant table.
 * Special: recurrence through memory at a distance from a table.
 * Sizes: 0 1 8 24 */
static const unsigned char coin[] = {1, 2, 5, 10};

void coin_change(unsigned *ways, unsigned n)
{
    if (n == 0)
        return;
    ways[0] = 1;
    for (unsigned a = 1; a < n; a++)
        ways[a] = 0;
    for (unsigned k = 0; k < sizeof coin; k++)
        for (unsigned a = coin[k]; a < n; a++)
            ways[a] += ways[a - coin[k]];
}
