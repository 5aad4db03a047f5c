// Blurs a matrix, seen through a class, and counts the elements that changed.
// Special: a view with operator() over a plain pointer, a reference as its result, nested loops
// over both dimensions with bounds of the view.
// Sizes: none
template <typename T>
class View {
    T *data;
    int rows_, cols_;

public:
    View(T *d, int r, int c) : data(d), rows_(r), cols_(c) {}
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    T &operator()(int r, int c) const { return data[r * cols_ + c]; }
};

int matrix_view(const int *in, int *out, int rows, int cols)
{
    const View<const int> a(in, rows, cols);
    const View<int> b(out, rows, cols);
    int changed = 0;
    for (int r = 0; r < a.rows(); ++r)
        for (int c = 0; c < a.cols(); ++c) {
            int &cell = b(r, c);
            if (c == 0 || c == a.cols() - 1)
                cell = a(r, c);
            else
                cell = (a(r, c - 1) + 2 * a(r, c) + a(r, c + 1)) / 4;
            changed += cell != a(r, c);
        }
    return changed;
}
