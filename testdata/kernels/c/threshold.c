/* Three-level threshold in place; returns how many pixels were bright.
 * Special: a chain of conditional expressions with a comma and side effects.
 * Sizes: 0 1 8 */
#include "include/image.h"

int threshold(byte *pixels, int n, byte low)
{
    int bright = 0;
    byte high = (byte)(low + 64);
    for (byte *p = pixels, *end = pixels + n; p != end; ++p)
        *p = *p < low ? 0 : *p < high ? 128 : (bright++, 255);
    return bright;
}
