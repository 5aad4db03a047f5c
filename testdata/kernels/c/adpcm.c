/* Encodes samples as differences of four bits, IMA ADPCM; the predictor stays in two parameters.
 * Special: a quotient by three conditional subtractions, a step from a table, clamps.
 * Sizes: 0 1 8 20 */
#include <stdint.h>

static const int16_t steps[33] = {7, 9, 11, 13, 16, 19, 23, 28, 34, 41, 50, 60, 73, 88, 107, 130, 157, 190, 230, 279, 337, 408,
                                  494, 598, 724, 876, 1060, 1282, 1552, 1878, 2272, 2749, 3327};

void adpcm(const int16_t *restrict in, uint8_t *restrict out, int n, int *restrict value, int *restrict index)
{
    int predicted = *value, at = *index & 31;
    for (int i = 0; i < n; i++) {
        int step = steps[at], diff = in[i] - predicted, code = 0, change = step >> 3;
        if (diff < 0) {
            code = 8;
            diff = -diff;
        }
        for (int bit = 4; bit > 0; bit >>= 1, step >>= 1)
            if (diff >= step) {
                code |= bit;
                diff -= step;
                change += step;
            }
        predicted += code & 8 ? -change : change;
        predicted = predicted > 32767 ? 32767 : predicted < -32768 ? -32768 : predicted;
        at += (code & 7) < 4 ? -1 : (code & 3) + 1;
        at = at < 0 ? 0 : at > 32 ? 32 : at;
        out[i] = code;
    }
    *value = predicted;
    *index = at;
}
