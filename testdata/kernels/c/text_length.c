/* Length of a text that ends with a zero.
 * Special: pointers only, the result is their difference.
 * Sizes: none */
unsigned long text_length(const char *s)
{
    const char *p = s;
    while (*p)
        p++;
    return (unsigned long)(p - s);
}
