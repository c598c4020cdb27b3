__global__ void product(const float* M, const float* N, float* P, unsigned m, unsigned n,
                        unsigned k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned row = blockIdx.y * TILE_WIDTH + ty;
  unsigned col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0.0f;
  for (unsigned ph = (k - 1) / TILE_WIDTH; ph >= 0; --ph) {
    unsigned i = ph * TILE_WIDTH + tx, j = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    Nds[ty][tx] = col < n && j < k ? N[j * n + col] : 0.0f;
    __syncthreads();
    for (unsigned t = 0; t < TILE_WIDTH; ++t) Pvalue += Mds[ty][t] * Nds[t][tx];
    __syncthreads();
    if (row < m && col < n) P[row * n + col] = Pvalue;
  }
}
