/* Counts the occurrences of a pattern in a text, Knuth, Morris and Pratt.
 * Special: failure table in a local array, inner loops that follow it.
 * Sizes: 0 1 8 */
#define LONGEST 32

int kmp(const signed char *text, int n, const signed char *pattern, int m)
{
    int fail[LONGEST + 1], found = 0;
    if (m < 1 || m > LONGEST)
        return 0;
    fail[0] = -1;
    for (int i = 0, k = -1; i < m;) {
        while (k >= 0 && pattern[i] != pattern[k])
            k = fail[k];
        fail[++i] = ++k;
    }
    for (int i = 0, k = 0; i < n; i++) {
        while (k >= 0 && (k == m || text[i] != pattern[k]))
            k = fail[k];
        if (++k == m)
            found++;
    }
    return found;
}
