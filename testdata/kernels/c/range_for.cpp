// Normalises the rows of a matrix to sum zero.
// Special: range-based loops over references to rows and elements, auto.
// Sizes: 8
void range_for(int (&m)[8][8])
{
    for (auto &row : m) {
        int sum = 0;
        for (int x : row)
            sum += x;
        for (auto &x : row)
            x -= sum / 8;
    }
}
