/* Applies a gain and counts clipped samples in variables at file scope.
 * Special: a scalar and an array with external linkage, read and written; a static one too.
 * Sizes: 0 1 8 */
int gain = 3;
int clipped;
unsigned usage[4];
static short limit = 100;

void globals(short *x, int n)
{
    for (int i = 0; i < n; i++) {
        int v = x[i] * gain;
        usage[i % 4]++;
        if (v > limit || v < -limit) {
            clipped++;
            v = v > 0 ? limit : -limit;
        }
        x[i] = (short)v;
    }
}
