/* Galois shift register; scrambles bytes in place and returns the state.
 * Special: loop of eight inside, state of 16 bits, result unsigned short.
 * Sizes: 0 1 8 */
unsigned short lfsr(unsigned char *x, int n, unsigned short state)
{
    if (!state)
        state = 0xace1u;
    for (int i = 0; i < n; i++) {
        unsigned char byte = 0;
        for (int k = 8; k--;) {
            byte = (unsigned char)(byte << 1 | (state & 1));
            state = (unsigned short)(state >> 1 ^ (-(state & 1) & 0xb400u));
        }
        x[i] ^= byte;
    }
    return state;
}
