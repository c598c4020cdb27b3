// Inline PTX that only newer GPUs support: copies that fill the rest with zeros,
// and a vote.
__device__ void copy(float* to, const float* from, bool there) {
  unsigned place = (unsigned)__cvta_generic_to_shared(to);
  int bytes = there ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place), "l"(from), "r"(bytes)
               : "memory");
}
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[2 * BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  copy(&s[t], i < n ? in + i : in, i < n);
  copy(&s[t + BLOCK], i + BLOCK < n ? in + i + BLOCK : in, i + BLOCK < n);
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int d = BLOCK; d >= 1; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  unsigned lanes = __reduce_or_sync(~0u, 1u << (t & 31));
  if (t == 0) out[blockIdx.x] = lanes == ~0u ? s[0] : 7.f;
}
