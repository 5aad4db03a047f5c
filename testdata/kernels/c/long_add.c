/* Sum of two long numbers in words of 64 bits; returns the carry.
 * Special: carries by unsigned comparison, 64-bit elements.
 * Sizes: 0 1 8 */
#include <stdint.h>

int long_add(const uint64_t *a, const uint64_t *b, uint64_t *sum, int n)
{
    unsigned carry = 0;
    for (int i = 0; i < n; i++) {
        uint64_t s = a[i] + carry;
        carry = s < carry;
        s += b[i];
        carry |= s < b[i];
        sum[i] = s;
    }
    return (int)carry;
}
