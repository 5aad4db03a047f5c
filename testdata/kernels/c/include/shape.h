/* Sizes shared by the kernels on small dense matrices. */
#ifndef SHAPE_H
#define SHAPE_H

#ifndef N
#define N 8
#endif

#define FOR(i, from, to) for (int i = (from); i < (to); i++)

#endif
