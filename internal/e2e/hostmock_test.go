package e2e

// mockHeader and mockSource stand for loom_accel.c: the arguments of a launch go to
// standard output and its outcome comes from standard input. The arguments of the host are
// checked as far as a real driver checks them.
const mockHeader = `
#include <stddef.h>
#include <stdint.h>
struct mock_region { uint32_t base; size_t bytes; };
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
void mock_array(void *p, size_t bytes) { arrays[array_count].p = (char *)p; arrays[array_count++].n = bytes; }
void *mock_malloc(size_t bytes) { void *p = malloc(bytes); mock_array(p, bytes - 1); return p; }
static void die(const char *why) { fprintf(stderr, "mock: %s\n", why); exit(3); }
static void put(const void *p, size_t n) { if (fwrite(p, 1, n, stdout) != n) exit(4); }
static void get(void *p, size_t n) { if (fread(p, 1, n, stdin) != n) exit(5); }
static struct { const void *data; size_t bytes; } regions[64];
static uint32_t arg_enable[LOOM_ACCEL_MAX_PORTS / 32], result_enable[LOOM_ACCEL_MAX_PORTS / 32];
static const loom_accel_image *image;
static char scratch[1 << 20];
static size_t used;
static char *pieces[48];
static unsigned piece_count;
void *loom_accel_scratch(loom_accel *dev, size_t bytes) {
  void *p = scratch + used;
  (void)dev;
  if (piece_count == sizeof pieces / sizeof *pieces) die("what an iteration takes of the scratch memory is not given back");
  pieces[piece_count++] = (char *)p;
  used += (bytes + 15) / 16 * 16;
  if (used > sizeof scratch) die("too little scratch memory");
  mock_array(p, bytes);
  return p;
}
void loom_accel_release(loom_accel *dev) { loom_accel_release_from(dev, scratch); }
void loom_accel_release_from(loom_accel *dev, const void *piece) {
  (void)dev;
  while (piece_count > 0 && pieces[piece_count - 1] >= (const char *)piece) {
    used = (size_t)(pieces[--piece_count] - scratch);
    array_count--; /* nothing else has been added since */
  }
}
int loom_accel_load(loom_accel *dev, const loom_accel_image *i) {
  (void)dev;
  if (i->layout_hash != MOCK_HASH || i->array_count != mock_region_count) die("wrong image");
  memset(regions, 0, sizeof regions); memset(arg_enable, 0, sizeof arg_enable); memset(result_enable, 0, sizeof result_enable);
  image = i;
  loom_accel_set_arg(dev, i->start, 0); loom_accel_expect(dev, i->done);
  return LOOM_ACCEL_OK;
}
int loom_accel_set_array(loom_accel *dev, uint32_t array, const void *data, size_t bytes) {
  (void)dev;
  if (!image || array >= image->array_count) die("an array that the image does not have");
  regions[array].data = data; regions[array].bytes = bytes;
  return LOOM_ACCEL_OK;
}
int loom_accel_set_arg(loom_accel *dev, uint32_t port, uint64_t value) {
  (void)dev; args[port] = value; arg_enable[port / 32] |= 1u << port % 32; return LOOM_ACCEL_OK;
}
int loom_accel_expect(loom_accel *dev, uint32_t port) {
  (void)dev; result_enable[port / 32] |= 1u << port % 32; return LOOM_ACCEL_OK;
}
static char *address(unsigned r, uint64_t *bytes) {
  uint32_t i, k;
  for (i = 0; i < image->array_count; i++)
    if (image->bases[i] == mock_regions[r].base) {
      char *p = (char *)(uintptr_t)regions[i].data;
      if (!p) break;
      *bytes = mock_regions[r].bytes;
      if (*bytes != regions[i].bytes) die("the size of an array is not what its type says");
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
static int launch(void) {
  unsigned i;
  uint64_t n;
  char kind = 'L', ok;
  if (!(arg_enable[mock_start / 32] >> mock_start % 32 & 1u)) die("no start token");
  if (!(result_enable[mock_done / 32] >> mock_done % 32 & 1u)) die("no done token");
  put(&kind, 1);
  for (i = 0; i < mock_region_count; i++) { char *p = address(i, &n); put(&n, 8); put(p, n); }
  for (i = 0; i < mock_arg_count; i++) {
    if (!(arg_enable[mock_args[i] / 32] >> mock_args[i] % 32 & 1u)) die("an argument is missing");
    put(&args[mock_args[i]], 8);
  }
  fflush(stdout);
  get(&ok, 1);
  if (!ok) exit(6);
  for (i = 0; i < mock_region_count; i++) { char *p = address(i, &n); get(p, n); }
  for (i = 0; i < mock_result_count; i++) {
    if (!(result_enable[mock_results[i] / 32] >> mock_results[i] % 32 & 1u)) die("a result is not expected");
    get(&results[mock_results[i]], 8);
  }
  return LOOM_ACCEL_OK;
}
int loom_accel_start(loom_accel *dev) { (void)dev; return launch(); }
int loom_accel_run(loom_accel *dev) { return loom_accel_start(dev); }
int loom_accel_wait(loom_accel *dev, uint64_t cycles) { (void)dev; (void)cycles; return LOOM_ACCEL_OK; }
uint64_t loom_accel_get_result(const loom_accel *dev, uint32_t port) { (void)dev; return results[port]; }
`
