/* Copies records with checks; whatever was begun is undone on an error.
 * Special: goto to labels at the end, in the manner of resource release.
 * Sizes: 0 1 8 */
int cleanup(const int *in, int *out, int n, int limit)
{
    int done = 0, status = 0;
    if (n <= 0) {
        status = -1;
        goto end;
    }
    for (done = 0; done < n; done++) {
        if (in[done] < -40) {
            status = -2;
            goto undo;
        }
        if (in[done] > 90 + limit)
            goto end;
        out[done] = in[done] * 2;
    }
    goto end;
undo:
    while (done > 0)
        out[--done] = 0;
end:
    return status < 0 ? status : done;
}
