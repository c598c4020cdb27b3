__global__ void ping_pong(const float* in, float* out, int n) {
  __shared__ float s[2][BLOCK];
  int tid = threadIdx.x, from = 0;
  int i = blockIdx.x * 2 * BLOCK + tid;
  s[0][tid] = i < n ? (i + BLOCK < n ? in[i] + in[i + BLOCK] : in[i]) : 0.0f;
  int active = BLOCK;
  while (active > 1) {
    __syncthreads();
    active /= 2;
    // pairs of neighbours
    if (tid < active) s[1 - from][tid] = s[from][2 * tid] + s[from][2 * tid + 1];
    from = 1 - from;
  }
  if (tid) return;
  out[blockIdx.x] = s[from][0];
}
