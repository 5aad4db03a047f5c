/* Counts lines, words and characters that are no blanks.
 * Special: the result is a struct, a switch inside the loop, one bit of state.
 * Sizes: 0 1 8 */
struct counts {
    int lines, words, marks;
};

struct counts word_count(const char *text, int n)
{
    struct counts c = {0, 0, 0};
    int inside = 0;
    for (int i = 0; i < n; i++)
        switch (text[i]) {
        case '\n':
            c.lines++;
            inside = 0;
            break;
        case ' ':
        case '\t':
        case '\r':
            inside = 0;
            break;
        default:
            c.marks++;
            if (!inside)
                c.words++;
            inside = 1;
        }
    return c;
}
