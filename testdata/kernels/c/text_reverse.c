/* Reverses a text in place.
 * Special: two pointers that meet.
 * Sizes: 0 1 7 8 */
void text_reverse(char *s, int n)
{
    char *low = s, *high = s + n;
    while (low < high) {
        char c = *low;
        *low++ = *--high;
        *high = c;
    }
}
