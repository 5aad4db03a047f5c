/* Interpreter of a small tape language with a limit of steps; returns the steps used.
 * Special: program counter moved by the data, inner loops that search the matching bracket
 * both ways, a switch of seven cases.
 * Sizes: 0 1 8 */
int tape(const char *program, int n, unsigned char *out, int room)
{
    unsigned char cell[16] = {0};
    int at = 0, made = 0, steps = 0;
    for (int pc = 0; pc < n && steps < 500; pc++, steps++) {
        int depth = 1;
        switch (program[pc]) {
        case '>':
            at = (at + 1) & 15;
            break;
        case '<':
            at = (at - 1) & 15;
            break;
        case '+':
            cell[at]++;
            break;
        case '-':
            cell[at]--;
            break;
        case '.':
            if (made == room)
                return -1;
            out[made++] = cell[at];
            break;
        case '[':
            if (cell[at])
                break;
            while (depth && pc + 1 < n) {
                pc++;
                depth += (program[pc] == '[') - (program[pc] == ']');
            }
            break;
        case ']':
            if (!cell[at])
                break;
            while (depth && pc > 0) {
                pc--;
                depth += (program[pc] == ']') - (program[pc] == '[');
            }
            break;
        default:
            break;
        }
    }
    return steps;
}
