template <int Half>
__device__ __forceinline__ void round_of(float* s, int tid) {
  if constexpr (Half > 0) {
    if (tid < Half) s[tid] += s[tid + Half];
    __syncthreads();
    round_of<Half / 2>(s, tid);
  }
}

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  const float* mine = in + blockIdx.x * 2 * BLOCK;
  const int left = n - static_cast<int>(blockIdx.x) * 2 * BLOCK, tid = threadIdx.x;
  s[tid] = (tid < left ? mine[tid] : 0.0f) + (tid + BLOCK < left ? mine[tid + BLOCK] : 0.0f);
  __syncthreads();
  round_of<BLOCK / 2>(s, tid);
  if (tid == 0) out[blockIdx.x] = s[0];
}
