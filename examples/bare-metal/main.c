/* Runs a kernel without an operating system and without a C library. */
#include "board.h"
#include "scale_host.h"

#define N 48

/* Arrays that the fabric accesses begin and end at cache lines. */
static int x[N] __attribute__((aligned(64)));
static int y[N] __attribute__((aligned(64)));

static loom_accel dev;

static void print(const char *s)
{
    for (; *s != '\0'; s++)
        board_put(*s);
}

/* The kernel's pointers do not tell the size of its arrays: all of them have this one. */
static void flush(void *context, const void *data, size_t bytes)
{
    (void)context;
    board_cache_clean(data, bytes != 0u ? bytes : sizeof x);
}

static void invalidate(void *context, const void *data, size_t bytes)
{
    (void)context;
    board_cache_drop(data, bytes != 0u ? bytes : sizeof y);
}

static int wait_interrupt(void *context, uint32_t looks)
{
    (void)context;
    (void)looks;
    board_sleep();
    return 0;
}

int main(void)
{
    static const loom_accel_hooks hooks = {NULL, NULL, flush, invalidate, NULL, wait_interrupt, 1};
    int status = loom_accel_open(&dev, BOARD_FABRIC, &hooks);
    int launch, i;

    for (i = 0; i < N; i++)
        x[i] = i;
    for (launch = 1; launch <= 3 && status == LOOM_ACCEL_OK; launch++) {
        status = scale_accel(&dev, N, -launch, x, y);
        for (i = 0; i < N && status == LOOM_ACCEL_OK; i++)
            if (y[i] != -launch * x[i]) {
                print("wrong result\n");
                return 1;
            }
    }
    print(loom_accel_status_name(status));
    print(", one image load: ");
    print(loom_accel_image_loads(&dev) == 1u ? "yes\n" : "no\n");
    return status != LOOM_ACCEL_OK;
}
