/* The C file that stands for loom_accel.c: a launch goes to the process that runs the program, which answers
 * with requests to read and write memory, then with the results.
 *
 *   here:  'L', the words of the image, an address per array, an argument per input that has one
 *   there: 'R' address bytes | 'W' address bytes data | 'D' results, which end the launch
 *   here:  'E' status and all parameters, when the function has returned
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom_accel.h"
#include "table.h"

static const loom_accel_image *image;
static const void *arrays[HOST_ARRAYS + 1];
static uint64_t args[LOOM_ACCEL_MAX_PORTS], results[LOOM_ACCEL_MAX_PORTS];
static unsigned char has_arg[LOOM_ACCEL_MAX_PORTS], expected[LOOM_ACCEL_MAX_PORTS];

static void die(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(3);
}

void host_put(const void *data, size_t bytes);
void host_get(void *data, size_t bytes);

int loom_accel_open(loom_accel *dev, uintptr_t base, const loom_accel_hooks *hooks)
{
    (void)dev, (void)base, (void)hooks;
    return LOOM_ACCEL_OK;
}

void loom_accel_set_scratch(loom_accel *dev, void *memory, size_t bytes) { (void)dev, (void)memory, (void)bytes; }

int loom_accel_load(loom_accel *dev, const loom_accel_image *next)
{
    if (next->layout_hash != HOST_LAYOUT)
        return LOOM_ACCEL_WRONG_IMAGE;
    image = next;
    memset(arrays, 0, sizeof arrays);
    memset(has_arg, 0, sizeof has_arg);
    memset(expected, 0, sizeof expected);
    loom_accel_set_arg(dev, next->start, 0);
    return loom_accel_expect(dev, next->done);
}

int loom_accel_set_array(loom_accel *dev, uint32_t array, const void *data, size_t bytes)
{
    (void)dev;
    (void)bytes;
    if (array >= HOST_ARRAYS)
        die("the host function names an array that the kernel does not have");
    arrays[array] = data;
    return LOOM_ACCEL_OK;
}

int loom_accel_set_table(loom_accel *dev, uint32_t array, const void *data, size_t bytes)
{
    return loom_accel_set_array(dev, array, data, bytes);
}

int loom_accel_set_arg(loom_accel *dev, uint32_t port, uint64_t value)
{
    (void)dev;
    if (port >= LOOM_ACCEL_MAX_PORTS)
        die("the host function names an input that no fabric has");
    args[port] = value;
    has_arg[port] = 1;
    return LOOM_ACCEL_OK;
}

int loom_accel_expect(loom_accel *dev, uint32_t port)
{
    (void)dev;
    if (port >= LOOM_ACCEL_MAX_PORTS)
        die("the host function names an output that no fabric has");
    expected[port] = 1;
    return LOOM_ACCEL_OK;
}

int loom_accel_start(loom_accel *dev)
{
    unsigned i;
    uint64_t at[2];
    unsigned char kind = 'L';
    static const uint32_t inputs[] = {HOST_INPUTS 0}, outputs[] = {HOST_OUTPUTS 0};
    (void)dev;
    if (!image)
        die("the host function starts a kernel without an image");
    host_put(&kind, 1);
    host_put(&image->word_count, sizeof image->word_count);
    host_put(image->words, image->word_count * sizeof *image->words);
    for (i = 0; i < HOST_ARRAYS; i++) {
        at[0] = (uint64_t)(uintptr_t)arrays[i];
        host_put(at, 8);
    }
    for (i = 0; i + 1 < sizeof inputs / sizeof *inputs; i++) {
        if (!has_arg[inputs[i]])
            die("the host function leaves out an argument");
        host_put(&args[inputs[i]], 8);
    }
    for (i = 0; i + 1 < sizeof outputs / sizeof *outputs; i++)
        if (!expected[outputs[i]])
            die("the host function does not expect a result");
    fflush(stdout);
    for (;;) {
        host_get(&kind, 1);
        if (kind == 'D')
            break;
        host_get(at, 16);
        if (kind == 'R')
            host_put((const void *)(uintptr_t)at[0], at[1]);
        else
            host_get((void *)(uintptr_t)at[0], at[1]);
        fflush(stdout);
    }
    for (i = 0; i + 1 < sizeof outputs / sizeof *outputs; i++)
        host_get(&results[outputs[i]], 8);
    return LOOM_ACCEL_OK;
}

int loom_accel_run(loom_accel *dev) { return loom_accel_start(dev); }

int loom_accel_wait(loom_accel *dev, uint64_t cycles)
{
    (void)dev;
    (void)cycles;
    return LOOM_ACCEL_OK;
}

uint64_t loom_accel_get_result(const loom_accel *dev, uint32_t port)
{
    (void)dev;
    return results[port];
}

/* The contents of on-chip memories are those of the simulated fabric. */
int loom_accel_write_memory(loom_accel *dev, uint32_t memory, uint32_t first, uint32_t elem_width, const void *data,
                            uint32_t count)
{
    (void)dev, (void)memory, (void)first, (void)elem_width, (void)data, (void)count;
    return LOOM_ACCEL_OK;
}

static void *scratch[64];
static unsigned used;

void *loom_accel_scratch(loom_accel *dev, size_t bytes)
{
    (void)dev;
    return used < sizeof scratch / sizeof *scratch ? scratch[used++] = calloc(1, bytes + 1) : NULL;
}

void loom_accel_release_from(loom_accel *dev, const void *piece)
{
    unsigned i;
    (void)dev;
    for (i = 0; i < used && scratch[i] != piece; i++)
        continue;
    while (used > i)
        free(scratch[--used]);
}

void loom_accel_release(loom_accel *dev)
{
    (void)dev;
    while (used > 0)
        free(scratch[--used]);
}
