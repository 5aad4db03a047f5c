/* Splits a text into tokens and counts each kind.
 * Special: a switch over states inside a loop, each with a chain of conditions; goto to take
 * the same character again.
 * Sizes: 0 1 8 */
enum { BLANK, NAME, NUMBER, SIGN };

int tokeniser(const char *text, int n, int *kind)
{
    int state = BLANK, tokens = 0;
    for (int i = 0; i < n; i++) {
        char c = text[i];
        int letter = (c >= 'a' && c <= 'z') || c == '_', digit = c >= '0' && c <= '9';
    again:
        switch (state) {
        case BLANK:
            if (letter)
                state = NAME;
            else if (digit)
                state = NUMBER;
            else if (c > ' ')
                state = SIGN;
            else
                break;
            kind[i] = state;
            tokens++;
            break;
        case NAME:
            if (letter || digit)
                break;
            state = BLANK;
            goto again;
        case NUMBER:
            if (digit)
                break;
            /* fall through */
        default:
            state = BLANK;
            goto again;
        }
    }
    return tokens;
}
