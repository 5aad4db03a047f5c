/* The image of the image-processing kernels: rows of bytes. */
#ifndef IMAGE_H
#define IMAGE_H

#define ROWS 8
#define COLS 8

typedef unsigned char byte;

#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

#endif
