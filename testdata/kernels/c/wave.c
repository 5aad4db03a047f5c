/* A damped sine wave.
 * Special: sin and exp of float, conversion of the counter, saturation to short.
 * Sizes: 0 1 8 */
#include <math.h>

void wave(short *out, int n, float pitch, float gain)
{
    for (int i = 0; i < n; i++) {
        float t = (float)i * 0.125f;
        float v = gain * 100.0f * sinf(pitch * t) * expf(-t);
        if (v > 32767.0f)
            v = 32767.0f;
        if (v < -32768.0f)
            v = -32768.0f;
        out[i] = (short)v;
    }
}
