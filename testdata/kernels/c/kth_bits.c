/* The k-th smallest of unsigned bytes, found bit by bit from the highest.
 * Special: mask shifted right as loop variable, nested count, k changes with the data.
 * Sizes: 0 1 8 */
int kth_bits(const unsigned char *a, int n, int k)
{
    unsigned prefix = 0, known = 0;
    if (k >= n)
        return -1;
    for (unsigned bit = 0x80; bit != 0; bit >>= 1) {
        int zeros = 0;
        for (int i = 0; i < n; i++)
            zeros += (a[i] & known) == prefix && !(a[i] & bit);
        known |= bit;
        if (k >= zeros) {
            k -= zeros;
            prefix |= bit;
        }
    }
    return (int)prefix;
}
