// SPDX-License-Identifier: Apache-2.0
// out[i] = in[i - 1] + in[i] + in[i + 1], where what lies outside counts as 0.
// Slot s of the tile is for element blockIdx.x * BLOCK + s - 1.
__global__ void three_neighbours(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK + 2];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int s = threadIdx.x + 1;

  tile[s] = i < n ? in[i] : 0;
  if (threadIdx.x == 0) {
    tile[0] = i > 0 ? in[i - 1] : 0;
  }
  if (threadIdx.x == BLOCK - 1) {
    tile[BLOCK + 1] = i + 1 < n ? in[i + 1] : 0;
  }
  __syncthreads();

  if (i < n) {
    out[i] = tile[s - 1] + tile[s] + tile[s + 1];
  }
}
