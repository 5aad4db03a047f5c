/* Second-order filter section, direct form II, float.
 * Special: coefficients as a struct by value that is passed in memory.
 * Sizes: 0 1 8 */
struct biquad {
    float b0, b1, b2, a1, a2;
};

void biquad(struct biquad c, const float *in, float *out, int n)
{
    float d1 = 0.0f, d2 = 0.0f;
    for (int i = 0; i < n; i++) {
        float w = in[i] - (c.a1 * d1 + c.a2 * d2) * 0.001f;
        out[i] = c.b0 * w + c.b1 * d1 + c.b2 * d2;
        d2 = d1;
        d1 = w;
    }
}
