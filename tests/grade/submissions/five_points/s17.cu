#define RADIUS 1
#define SIDE (16 + 2 * RADIUS)

__global__ void five_points(const int* in, int* out, int m, int n) {
  __shared__ int t[SIDE * SIDE];
  const int side = TILE + 2 * RADIUS;
  const int top = blockIdx.y * TILE - RADIUS, left = blockIdx.x * TILE - RADIUS;
  for (int s = threadIdx.y * TILE + threadIdx.x; s < side * side; s += TILE * TILE) {
    int r = top + s / side, c = left + s % side;
    t[s] = r >= 0 && r < m && c >= 0 && c < n ? in[r * n + c] : 0;
  }
  __syncthreads();
  int r = top + RADIUS + threadIdx.y, c = left + RADIUS + threadIdx.x;
  int s = (threadIdx.y + RADIUS) * side + threadIdx.x + RADIUS;
  if (r < m && c < n) out[r * n + c] = t[s] + t[s - 1] + t[s + 1] + t[s - side] + t[s + side];
}
