/* Three launches of a kernel on one handle: the image is loaded by the first. */
#include <stdio.h>

#include "scale_host.h"

#define N 16

int main(void)
{
    static loom_accel dev;
    static int x[N], y[N];
    int status = loom_accel_open(&dev, 0x43c00000u, NULL); /* the simulation takes any address */
    int launch, i;

    if (status != LOOM_ACCEL_OK) {
        printf("open: %s\n", loom_accel_status_name(status));
        return 1;
    }
    loom_accel_set_timeout(&dev, 100000u); /* clock cycles of the fabric */
    for (i = 0; i < N; i++)
        x[i] = i - 3;
    for (launch = 1; launch <= 3; launch++) {
        status = scale_accel(&dev, N, 10 * launch, x, y);
        if (status != LOOM_ACCEL_OK) {
            printf("launch %d: %s, %s\n", launch, loom_accel_status_name(status), loom_accel_error_name(loom_accel_error(&dev)));
            return 1;
        }
        for (i = 0; i < N; i++)
            if (y[i] != 10 * launch * x[i]) {
                printf("launch %d: y[%d] is %d\n", launch, i, y[i]);
                return 1;
            }
        printf("launch %d: y[%d] = %d after %lu clock cycles\n", launch, N - 1, y[N - 1], (unsigned long)loom_accel_cycle_count(&dev));
    }
    printf("image loads: %lu\n", (unsigned long)loom_accel_image_loads(&dev));
    return loom_accel_close(&dev) != LOOM_ACCEL_OK;
}
