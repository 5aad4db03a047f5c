/* Reverses the order of the bits of each byte, in place.
 * Special: two shifted variables, a do-while over a mask that runs out.
 * Sizes: 0 1 8 */
void bit_reverse(unsigned char *x, unsigned n)
{
    while (n--) {
        unsigned char in = x[n], out = 0, mask = 1;
        do {
            out = (unsigned char)(out << 1);
            if (in & mask)
                out |= 1;
            mask = (unsigned char)(mask << 1);
        } while (mask);
        x[n] = out;
    }
}
