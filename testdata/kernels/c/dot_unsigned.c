/* Dot product modulo 2^32.
 * Special: size_t length and counter, unsigned elements.
 * Sizes: 0 1 8 */
#include <stddef.h>

unsigned dot_unsigned(const unsigned *x, const unsigned *y, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
