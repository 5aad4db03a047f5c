/* A polynomial at several points, Horner's rule.
 * Special: the inner loop counts down to zero, no coefficients give zero.
 * Sizes: 0 1 8 */
void horner(const float *coeff, int terms, const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++) {
        float value = 0.0f;
        for (int k = terms - 1; k >= 0; --k)
            value = value * x[i] * 0.01f + coeff[k];
        y[i] = value;
    }
}
