/* Runs a kernel from Linux:
 *   program /dev/uio0 /dev/udmabuf0 /sys/class/u-dma-buf/udmabuf0/phys_addr
 */
#include <stdio.h>

#include "scale_host.h"
#include "uio.h"

#define N 100

int main(int argc, char **argv)
{
    static loom_accel dev;
    static uio_platform platform;
    int elsewhere[N];
    int *x, *y;
    int status, launch, i;

    if (argc != 4) {
        fprintf(stderr, "usage: %s UIO-DEVICE BUFFER-DEVICE PHYSICAL-ADDRESS-FILE\n", argv[0]);
        return 2;
    }
    if (uio_open(&platform, argv[1], argv[2], argv[3]) != 0) {
        perror("uio");
        return 1;
    }
    x = (int *)uio_alloc(&platform, N * sizeof *x);
    y = (int *)uio_alloc(&platform, N * sizeof *y);
    if (x == NULL || y == NULL) {
        fprintf(stderr, "the buffer is too small\n");
        return 1;
    }
    status = loom_accel_open(&dev, (uintptr_t)platform.registers, &platform.hooks);
    for (i = 0; i < N; i++)
        x[i] = i;
    for (launch = 1; launch <= 3 && status == LOOM_ACCEL_OK; launch++) {
        status = scale_accel_start(&dev, N, launch, x, y);
        /* The processor is free here. */
        if (status == LOOM_ACCEL_OK)
            status = scale_accel_wait(&dev, 1000000u);
        for (i = 0; i < N && status == LOOM_ACCEL_OK; i++)
            if (y[i] != launch * x[i]) {
                printf("launch %d: y[%d] is %d\n", launch, i, y[i]);
                return 1;
            }
    }
    printf("three launches: %s, image loads: %lu\n", loom_accel_status_name(status), (unsigned long)loom_accel_image_loads(&dev));
    /* An array outside of the buffer is refused before anything runs. */
    printf("an array on the stack: %s\n", loom_accel_status_name(scale_accel(&dev, N, 1, x, elsewhere)));
    loom_accel_close(&dev);
    uio_close(&platform);
    return status != LOOM_ACCEL_OK;
}
