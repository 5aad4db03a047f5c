/* One step of bodies that attract each other, softened, double.
 * Special: three sums in one inner loop, a root and a division on the way, eight
 * arrays, of which six are written.
 * Sizes: 1 6 */
#include <math.h>

void nbody(int n, double *x, double *y, double *z, double *vx, double *vy, double *vz, const double *mass, double dt)
{
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            double d2 = dx * dx + dy * dy + dz * dz + 0.01;
            double pull = mass[j] / (d2 * sqrt(d2));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        vx[i] += dt * ax;
        vy[i] += dt * ay;
        vz[i] += dt * az;
    }
    for (int i = 0; i < n; i++) {
        x[i] += dt * vx[i];
        y[i] += dt * vy[i];
        z[i] += dt * vz[i];
    }
}
