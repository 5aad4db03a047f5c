/* Position of the first byte that is not valid UTF-8, n if all are.
 * Special: a state machine with limits of the next byte as state; several returns.
 * Sizes: 0 1 8 */
#include <stddef.h>
#include <stdint.h>

size_t utf8(const uint8_t *s, size_t n)
{
    unsigned pending = 0;
    uint8_t low = 0x80, high = 0xbf;
    size_t start = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t c = s[i];
        if (pending) {
            if (c < low || c > high)
                return start;
            low = 0x80;
            high = 0xbf;
            pending--;
            continue;
        }
        start = i;
        if (c < 0x80)
            continue;
        if (c < 0xc2 || c > 0xf4)
            return i;
        pending = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
        if (c == 0xe0)
            low = 0xa0;
        else if (c == 0xed)
            high = 0x9f;
        else if (c == 0xf0)
            low = 0x90;
        else if (c == 0xf4)
            high = 0x8f;
    }
    return pending ? start : n;
}
