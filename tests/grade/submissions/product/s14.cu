extern __shared__ float pool[];

__global__ void product_dyn(const float* __restrict__ M, const float* __restrict__ N,
                            float* __restrict__ P, int m, int n, int k) {
  constexpr int pitch = TILE_WIDTH + 1;
  float* mt = pool;
  float* nt = pool + TILE_WIDTH * pitch;
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned row = blockIdx.y * blockDim.y + ty, col = blockIdx.x * blockDim.x + tx;
  float* mine_m = mt + ty * pitch + tx;
  float* mine_n = nt + ty * pitch + tx;
  float sum = 0;
  unsigned done = 0;
  while (done < (unsigned)k) {
    *mine_m = 0;
    *mine_n = 0;
    if (row < (unsigned)m && done + tx < (unsigned)k) *mine_m = M[row * k + done + tx];
    if (done + ty < (unsigned)k && col < (unsigned)n) *mine_n = N[(done + ty) * n + col];
    __syncthreads();
    const float* p = mt + ty * pitch;
    const float* q = nt + tx;
    for (int i = 0; i < TILE_WIDTH; ++i, ++p, q += pitch) sum += *p * *q;
    __syncthreads();
    done += TILE_WIDTH;
  }
  if (row < (unsigned)m && col < (unsigned)n) P[row * n + col] = sum;
}
