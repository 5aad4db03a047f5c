/* Softmax of a vector, float: the largest is taken off before the exponentials.
 * Special: three loops one after the other, expf, a division per element.
 * Sizes: 1 9 */
#include <math.h>

void softmax(const float *x, float *y, int n)
{
    float most = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > most)
            most = x[i];
    float sum = 0;
    for (int i = 0; i < n; i++) {
        y[i] = expf(x[i] - most);
        sum += y[i];
    }
    for (int i = 0; i < n; i++)
        y[i] /= sum;
}
