/* Merge sort from the bottom up.
 * Special: run length doubles each pass, two buffers exchange their roles, at the end the
 * result may have to move.
 * Sizes: 0 1 8 13 */
void merge_sort(int *data, int *spare, int n)
{
    int *from = data, *to = spare;
    for (int width = 1; width < n; width *= 2) {
        for (int low = 0; low < n; low += 2 * width) {
            int mid = low + width < n ? low + width : n;
            int high = low + 2 * width < n ? low + 2 * width : n;
            int i = low, j = mid;
            for (int k = low; k < high; k++)
                if (i < mid && (j >= high || from[i] <= from[j]))
                    to[k] = from[i++];
                else
                    to[k] = from[j++];
        }
        int *t = from;
        from = to;
        to = t;
    }
    if (from != data)
        for (int k = 0; k < n; k++)
            data[k] = from[k];
}
