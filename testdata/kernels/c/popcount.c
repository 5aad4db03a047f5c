/* Number of set bits of each word.
 * Special: the inner loop clears the lowest bit until nothing is left.
 * Sizes: 0 1 8 */
void popcount(const unsigned *x, unsigned char *count, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned v = x[i], bits = 0;
        for (; v; v &= v - 1)
            bits++;
        count[i] = (unsigned char)bits;
    }
}
