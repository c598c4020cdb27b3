#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float w[32];
  auto block = cg::this_thread_block(); auto warp = cg::tiled_partition<32>(block);
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  v = cg::reduce(warp, v, cg::plus<float>());
  if (warp.thread_rank() == 0) w[tid / 32] = v;
  block.sync();
  if (tid < 32) { float s = tid < BLOCK / 32 ? w[tid] : 0; s = cg::reduce(warp, s, cg::plus<float>()); if (tid == 0) out[blockIdx.x] = s; }
}
