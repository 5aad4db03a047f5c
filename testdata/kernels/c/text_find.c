/* First position of a pattern in a text, -1 if it is missing; no library functions.
 * Special: an inner loop left early, the outer one by return.
 * Sizes: 0 1 8 */
int text_find(const char *text, int n, const char *pattern, int m)
{
    for (int i = 0; i + m <= n; i++) {
        int k = 0;
        while (k < m && text[i + k] == pattern[k])
            k++;
        if (k == m)
            return i;
    }
    return -1;
}
