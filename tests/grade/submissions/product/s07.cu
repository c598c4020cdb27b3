// Tiles of 16 x 16, as in the lecture.
#define WIDTH 16

__global__ void product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[WIDTH][WIDTH];
  __shared__ float Nds[WIDTH][WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * WIDTH + ty;
  int col = blockIdx.x * WIDTH + tx;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + WIDTH - 1) / WIDTH; ++ph) {
    if (tx < WIDTH && ty < WIDTH) {
      Mds[ty][tx] = row < m && ph * WIDTH + tx < k ? M[row * k + ph * WIDTH + tx] : 0.0f;
      Nds[ty][tx] = col < n && ph * WIDTH + ty < k ? N[(ph * WIDTH + ty) * n + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < WIDTH && tx < WIDTH && ty < WIDTH; ++i) Pvalue += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (tx < WIDTH && ty < WIDTH && row < m && col < n) P[row * n + col] = Pvalue;
}
