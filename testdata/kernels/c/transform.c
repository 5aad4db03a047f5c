/* Points in homogeneous coordinates, each by a matrix.
 * Special: two inner loops of four iterations; the matrix is the same for all points.
 * Sizes: 3 24 */
void transform(const float m[restrict 4][4], const float (*restrict p)[4], float (*restrict q)[4], int n)
{
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 4; r++) {
            float s = 0;
            for (int k = 0; k < 4; k++)
                s += m[r][k] * p[i][k];
            q[i][r] = s;
        }
}
