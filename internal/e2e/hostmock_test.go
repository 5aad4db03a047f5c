package e2e

// mockHeader and mockSource replace loom_accel.c: the arguments of a launch go to
// standard output and its outcome comes from standard input. The arguments of the host are
// checked as far as a real driver checks them.
const mockHeader = `
#include <stddef.h>
#include <stdint.h>
struct mock_region { uint32_t word, bit; size_t bytes; };
extern const struct mock_region mock_regions[];
extern const unsigned mock_region_count, mock_arg_count, mock_result_count;
extern const uint32_t mock_args[], mock_results[], mock_start, mock_done;
#ifdef __cplusplus
extern "C" {
#endif
void mock_array(void *p, size_t bytes);
void *mock_malloc(size_t bytes);
#ifdef __cplusplus
}
#endif
`

const mockSource = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loom_accel.h"
#include "mock.h"
static struct { char *p; size_t n; } arrays[64];
static unsigned array_count;
static uint64_t args[LOOM_ACCEL_MAX_PORTS], results[LOOM_ACCEL_MAX_PORTS];
static int loaded;
void mock_array(void *p, size_t bytes) { arrays[array_count].p = (char *)p; arrays[array_count++].n = bytes; }
void *mock_malloc(size_t bytes) { void *p = malloc(bytes); mock_array(p, bytes - 1); return p; }
static void die(const char *why) { fprintf(stderr, "mock: %s\n", why); exit(3); }
static void put(const void *p, size_t n) { if (fwrite(p, 1, n, stdout) != n) exit(4); }
static void get(void *p, size_t n) { if (fread(p, 1, n, stdin) != n) exit(5); }
int loom_accel_init(loom_accel *dev, uintptr_t base, uint64_t hash) {
  memset(dev, 0, sizeof *dev);
  dev->base = base;
  loaded = 0;
  return hash == MOCK_HASH ? LOOM_ACCEL_OK : LOOM_ACCEL_WRONG_IMAGE;
}
int loom_accel_set_mem_region(loom_accel *dev, uint32_t word, uint32_t bit, uint64_t address) {
  uint32_t i;
  for (i = 0; i < dev->region_count; i++)
    if (dev->region[i].word == word && dev->region[i].bit == bit) break;
  if (i == dev->region_count) dev->region_count++;
  dev->region[i].word = word; dev->region[i].bit = bit; dev->region[i].address = address;
  loaded = 0; /* takes effect with the next image */
  return LOOM_ACCEL_OK;
}
int loom_accel_load_config(loom_accel *dev, const uint32_t *words, uint32_t n) {
  (void)dev; (void)words; (void)n;
  loaded = 1;
  return LOOM_ACCEL_OK;
}
int loom_accel_set_arg(loom_accel *dev, uint32_t port, uint64_t value) {
  args[port] = value; dev->arg_enable[port / 32] |= 1u << port % 32; return LOOM_ACCEL_OK;
}
int loom_accel_expect(loom_accel *dev, uint32_t port) {
  dev->result_enable[port / 32] |= 1u << port % 32; return LOOM_ACCEL_OK;
}
static char *address(loom_accel *dev, unsigned r, uint64_t *bytes) {
  uint32_t i, k;
  for (i = 0; i < dev->region_count; i++)
    if (dev->region[i].word == mock_regions[r].word && dev->region[i].bit == mock_regions[r].bit) {
      char *p = (char *)(uintptr_t)dev->region[i].address;
      *bytes = mock_regions[r].bytes;
      if (*bytes) return p;
      for (k = array_count; k-- > 0;)
        if (p >= arrays[k].p && p <= arrays[k].p + arrays[k].n) {
          *bytes = (uint64_t)(arrays[k].p + arrays[k].n - p);
          return p;
        }
      die("an array at an address that the program does not know");
    }
  die("a region has no address");
  return NULL;
}
int loom_accel_launch(loom_accel *dev) {
  unsigned i;
  uint64_t n;
  char kind = 'L', ok;
  if (!loaded) return LOOM_ACCEL_CONFIG_FAILED;
  if (!(dev->arg_enable[mock_start / 32] >> mock_start % 32 & 1u)) die("no start token");
  if (!(dev->result_enable[mock_done / 32] >> mock_done % 32 & 1u)) die("no done token");
  put(&kind, 1);
  for (i = 0; i < mock_region_count; i++) { char *p = address(dev, i, &n); put(&n, 8); put(p, n); }
  for (i = 0; i < mock_arg_count; i++) {
    if (!(dev->arg_enable[mock_args[i] / 32] >> mock_args[i] % 32 & 1u)) die("an argument is missing");
    put(&args[mock_args[i]], 8);
  }
  fflush(stdout);
  get(&ok, 1);
  if (!ok) exit(6);
  for (i = 0; i < mock_region_count; i++) { char *p = address(dev, i, &n); get(p, n); }
  for (i = 0; i < mock_result_count; i++) {
    if (!(dev->result_enable[mock_results[i] / 32] >> mock_results[i] % 32 & 1u)) die("a result is not expected");
    get(&results[mock_results[i]], 8);
  }
  return LOOM_ACCEL_OK;
}
int loom_accel_wait(loom_accel *dev, uint32_t max_polls) { (void)dev; (void)max_polls; return LOOM_ACCEL_OK; }
uint64_t loom_accel_get_result(loom_accel *dev, uint32_t port) { (void)dev; return results[port]; }
`
