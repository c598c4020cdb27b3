/*---
title = "Product of zeros"
sizes = { m = 32, n = 32, k = 32 }
[tunable.TILE_WIDTH]
default = 32
values = [32]
[launch]
block = [32, 32]
grid = [1, 1]
[[operand]]
name = "M"
rows = 32
columns = 32
fill = "zero"
---*/
// #include <solution.cuh>
#ifndef TILE_WIDTH
#define TILE_WIDTH 32
#endif
#define IDX(r, c, pitch) ((r) * (pitch) + (c))
#if TILE_WIDTH > 32
#error "the block would have too many threads"
#endif

__global__ void product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float ms[TILE_WIDTH][TILE_WIDTH], ns[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = IDX(blockIdx.y, ty, TILE_WIDTH), col = IDX(blockIdx.x, tx, TILE_WIDTH);
  float v = 0;
  int ph = 0;
  do {
    int mk = IDX(ph, tx, TILE_WIDTH), nk = IDX(ph, ty, TILE_WIDTH);
    ms[ty][tx] = 0;
    if (row < m && mk < k) ms[ty][tx] = M[IDX(row, mk, k)];
    ns[ty][tx] = 0;
    if (nk < k && col < n) ns[ty][tx] = N[IDX(nk, col, n)];
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; i++) v += ms[ty][i] * ns[i][tx];
    __syncthreads();
    ++ph;
  } while (ph * TILE_WIDTH < k);
  if (row < m && col < n) P[IDX(row, col, n)] = v;
}
