__global__ void five_points(const int* in, int* out, int m, int n) {
  int r = blockIdx.y * TILE + threadIdx.y;
  int c = blockIdx.x * TILE + threadIdx.x;
  bool here = r < m && c < n;
  int v = here ? in[r * n + c] : 0;
  if (here) out[r * n + c] = v;
  __threadfence();
  __syncthreads();
  if (here) {
    if (r > 0) atomicAdd(&out[(r - 1) * n + c], v);
    if (r < m - 1) atomicAdd(&out[(r + 1) * n + c], v);
    if (c > 0) atomicAdd(&out[r * n + c - 1], v);
    if (c < n - 1) atomicAdd(&out[r * n + c + 1], v);
  }
}
