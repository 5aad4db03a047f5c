/* Shifts the letters of a text in the alphabet, in place; other characters stay.
 * Special: case ranges by comparison chains, a modulo, characters through int.
 * Sizes: 0 1 8 */
void caesar(char *text, unsigned n, int shift)
{
    shift = (shift % 26 + 26) % 26;
    for (unsigned i = 0; i < n; i++) {
        char c = text[i];
        if (c >= 'a' && c <= 'z')
            text[i] = (char)('a' + (c - 'a' + shift) % 26);
        else if (c >= 'A' && c <= 'Z')
            text[i] = (char)('A' + (c - 'A' + shift) % 26);
    }
}
