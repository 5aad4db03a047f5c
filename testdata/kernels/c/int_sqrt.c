/* Integer square root bit by bit.
 * Special: a shift by two as induction, first a search for its start.
 * Sizes: 0 1 8 */
void int_sqrt(const unsigned *x, unsigned short *root, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned v = x[i], r = 0, bit = 1u << 30;
        while (bit > v)
            bit >>= 2;
        while (bit) {
            if (v >= r + bit) {
                v -= r + bit;
                r = (r >> 1) + bit;
            } else {
                r >>= 1;
            }
            bit >>= 2;
        }
        root[i] = (unsigned short)r;
    }
}
