/*---
title = "Sums"
reference = "block_sums"
elements_per_block = 64
sizes = { n = 64 }
[launch]
block = [32]
grid = [1]
[[operand]]
name = "in"
extent = 64
fill = "ones"
---*/
#define WARPS (BLOCK / 32)

__global__ void by_columns(const float* in, float* out, int n) {
  __shared__ float s[WARPS][32 + 1];
  unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
  unsigned base = blockIdx.x * 2u * BLOCK;
  float a = 0, b = 0;
  if (base + t < (unsigned)n) a = in[base + t];
  if (base + BLOCK + t < (unsigned)n) b = in[base + BLOCK + t];
  s[warp][lane] = a + b;
  __syncthreads();
  if (t < 32) {
    int w = 1;
    float column = s[0][t];
    while (w < WARPS) column += s[w++][t];
    s[0][t] = column;   // nobody else uses column t
  }
  __syncthreads();
  if (t == 0) {
    float all = 0;
    int l = 0;
    do all += s[0][l]; while (++l < 32);
    out[blockIdx.x] = all;
  }
}
