/* Reads a decimal number with blanks and a sign; stops before it overflows.
 * Special: several loops over the same pointer, break on a data-dependent limit.
 * Sizes: none */
int to_number(const char *s, int *used)
{
    const char *p = s;
    int value = 0, negative = 0;
    while (*p == ' ' || *p == '\t')
        p++;
    if (*p == '-' || *p == '+')
        negative = *p++ == '-';
    for (; *p >= '0' && *p <= '9'; p++) {
        int digit = *p - '0';
        if (value > (2147483647 - digit) / 10)
            break;
        value = value * 10 + digit;
    }
    *used = (int)(p - s);
    return negative ? -value : value;
}
