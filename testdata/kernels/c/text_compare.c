/* Compares two texts that end with a zero: negative, zero or positive.
 * Special: a loop with two conditions on loads from two pointers, both advance.
 * Sizes: none */
int text_compare(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}
