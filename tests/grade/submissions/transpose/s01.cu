enum { T = 32, R = 8 };
struct Tile { float v[T][T + 1]; };

__global__ void transpose_it(const float* in, float* out, int rows, int cols) {
  __shared__ struct Tile t;
  int j = threadIdx.y;
  int c = blockIdx.x * T + threadIdx.x;
  do {
    int r = blockIdx.y * T + j;
    t.v[j][threadIdx.x] = r < rows && c < cols ? in[r * cols + c] : 0.0f;
    j += R;
  } while (j < T);
  __syncthreads();

  int outCol = blockIdx.y * T + threadIdx.x;
  if (outCol >= rows) return;  // past the last barrier
  for (j = threadIdx.y; j < T; j += R) {
    int outRow = blockIdx.x * T + j;
    if (outRow >= cols) break;
    out[outRow * rows + outCol] = t.v[threadIdx.x][j];
  }
}
