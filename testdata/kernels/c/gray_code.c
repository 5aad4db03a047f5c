/* Gray code there and back; returns how many did not survive (none).
 * Special: shift amount that doubles, 16-bit values.
 * Sizes: 0 1 8 */
#include <stdint.h>

int gray_code(const uint16_t *x, uint16_t *gray, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        uint16_t g = (uint16_t)(x[i] ^ x[i] >> 1), back = g;
        for (int s = 1; s < 16; s <<= 1)
            back ^= (uint16_t)(back >> s);
        gray[i] = g;
        wrong += back != x[i];
    }
    return wrong;
}
