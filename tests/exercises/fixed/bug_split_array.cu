// SPDX-License-Identifier: Apache-2.0
// P = M N. Both tiles lie in one array, whose size the host gives at the launch: two tiles of
// TILE_WIDTH * TILE_WIDTH floats.
__global__ void split_array(const float* M, const float* N, float* P, int m, int n, int k) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = tiles + TILE_WIDTH * TILE_WIDTH;

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < phases; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty * TILE_WIDTH + tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    Nds[ty * TILE_WIDTH + tx] = j < k && col < n ? N[j * n + col] : 0.0f;
    __syncthreads();

    for (int t = 0; t < TILE_WIDTH; ++t) {
      Pvalue += Mds[ty * TILE_WIDTH + t] * Nds[t * TILE_WIDTH + tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
