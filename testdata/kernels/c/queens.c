/* Counts the ways to place five queens on a board of five by five.
 * Special: no parameters; backtracking with a stack in a local array, three nested loops that data end.
 * Sizes: 1 */
#define N 5

int queens(void)
{
    int column[N], row = 0, found = 0;
    column[0] = -1;
    while (row >= 0) {
        for (column[row]++; column[row] < N; column[row]++) {
            int free = 1;
            for (int i = 0; i < row; i++) {
                int d = column[row] - column[i];
                if (d == 0 || d == row - i || d == i - row) {
                    free = 0;
                    break;
                }
            }
            if (free)
                break;
        }
        if (column[row] == N)
            row--;
        else if (row == N - 1)
            found++;
        else
            column[++row] = -1;
    }
    return found;
}
