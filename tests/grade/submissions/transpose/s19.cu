__global__ void counted(const float* M, float* P, int m, int n) {
  __shared__ float tile[1024];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
  const int w = n - x0 < 32 ? n - x0 : 32;
  const int h = m - y0 < 32 ? m - y0 : 32;
  const int me = threadIdx.y * 32 + threadIdx.x;
  for (int e = me; e < w * h; e += 256) {
    tile[e] = M[(y0 + e / w) * n + x0 + e % w];
  }
  __syncthreads();
  for (int e = me; e < w * h; e += 256) {
    int prow = e / h, pcol = e % h;
    P[(x0 + prow) * m + y0 + pcol] = tile[pcol * w + prow];
  }
}
