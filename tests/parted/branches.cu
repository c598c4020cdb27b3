/*---
# SPDX-License-Identifier: Apache-2.0
title = "Branches that part the lanes of a warp"
sizes = { n = 1009 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "choices"
type = "i32"
extent = "n + 1"

[[operand]]
name = "out"
extent = "n"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Each kernel can be run by its name with --entry.

__device__ int index_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void one_of_two_loads(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x;
  if (i % 3 == 0) {
    x = in[i] * 2.0f;
  } else {
    x = in[n - 1 - i] + 1.0f;
  }
  out[i] = x;
}

__global__ void one_of_two_stores(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  if (choices[i] % 2 == 0) {
    out[i] = in[i] * in[i] - 1.0f;
  } else {
    out[n - 1 - (n - 1 - i)] = 1.0f / (in[i] + 3.0f);
  }
}

__global__ void one_of_four(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  if (choices[i] % 4 == 0) {
    out[i] = in[i];
  } else if (choices[i] % 4 == 1) {
    out[i] = sqrtf(in[n - 1 - i] + 2.0f);
  } else if (choices[i] % 4 == 2) {
    out[i] = in[i] * in[(i + 5) % n];
  } else {
    out[i] = -1.0f;
  }
}

__global__ void switch_of_five(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x = in[i];
  switch (choices[i] % 5) {
    case 0:
      x += in[(i + 1) % n];
      break;
    case 1:
      x *= in[(i + 2) % n];
      [[fallthrough]];
    case 2:
      x -= in[(i + 3) % n];
      break;
    case 3:
      x = sqrtf(x + 1.0f);
      break;
    default:
      return;
  }
  out[i] = x;
}

__global__ void both_must_hold(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i < n && in[i] > -0.5f && in[(i + 1) % n] > -0.5f) {
    out[i] = in[(i + 2) % n];
  } else if (i < n) {
    out[i] = in[(i + 3) % n];
  }
}

__global__ void one_must_hold(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  if (in[i] > 0.5f || in[(i + 7) % n] > 0.5f || choices[i] % 2 == 0) out[i] = in[(i + 9) % n];
}

__global__ void vector_or_elements(const float* in, const int* choices, float* out, int n) {
  int i = 4 * index_of_thread();
  if (i + 3 < n && choices[i / 4] % 3 != 0) {
    float4 x = *reinterpret_cast<const float4*>(in + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(x.w, x.z, x.y, x.x);
  } else {
    for (int j = i; j < i + 4; ++j) {
      if (j < n) out[j] = in[j];
    }
  }
}

__global__ void early_returns(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x = in[i];
  if (x < -0.5f) return;
  x += in[(i + 1) % n];
  if (x < 0.0f) return;
  x += in[(i + 2) % n];
  if (x < 0.5f) return;
  out[i] = x;
}

__global__ void chosen_address(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  out[i] = in[choices[i] % 2 == 0 ? i : n - 1 - i];
}

__global__ void leaves_by_goto(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  float x = 0.0f;
  if (i >= n) return;
  if (choices[i] % 3 == 0) goto done;
  x = in[(i + 1) % n];
  if (x < 0.0f) goto done;
  x *= in[(i + 2) % n];
done:
  out[i] = x;
}

__global__ void branches_in_branches(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x = 0.0f;
  if (i % 2 == 0) {
    x = in[i];
    if (i % 4 == 0) {
      x += in[(i + 4) % n];
      if (x > 0.0f) x += in[(i + 8) % n];
    } else {
      x -= in[(i + 2) % n];
    }
  }
  out[i] = x;
}

__global__ void only_every_third(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i < n && i % 3 == 0) out[i] = in[i];
}

__global__ void tree(const float* in, const int* choices, float* out, int n) {
  __shared__ float sums[128];
  int i = index_of_thread();
  sums[threadIdx.x] = i < n ? in[i] : 0.0f;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void neighbours_in_global_memory(const float* in, const int* choices, float* out,
                                            int n) {
  int i = index_of_thread();
  int lane = threadIdx.x % 32;
  float x = 0.0f;
  if (lane > 0 && i - 1 < n) x += in[i - 1];
  if (lane < 31 && i + 1 < n) x += in[i + 1];
  if (i < n) out[i] = x;
}

__global__ void compaction(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  bool keeps = i < n && in[i] > 0.0f;
  unsigned votes = __ballot_sync(0xffffffff, keeps);
  int lane = threadIdx.x % 32;
  int place = i - lane + __popc(votes & ((1u << lane) - 1));
  if (keeps) out[place] = in[i];
}

__global__ void sum_of_a_warp(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  float sum = i < n ? in[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0 && i < n) out[i] = sum;
}

__global__ void edges_apart(const float* in, const int* choices, float* out, int n) {
  __shared__ float tile[130];
  int i = index_of_thread(), t = threadIdx.x;
  tile[t + 1] = i < n ? in[i] : 0.0f;
  if (t == 0) tile[0] = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
  if (t == 127) tile[129] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void odd_lanes_twice(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x = in[i];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if ((threadIdx.x >> j) % 2 == 1) x += in[(i + 64 * j) % n];
  }
  out[i] = x;
}

__global__ void falls_into_one_case(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x = in[i];
  switch (choices[i] % 4) {
    case 0:
      x += in[(i + 11) % n] * in[(i + 13) % n];
      [[fallthrough]];
    case 1:
      x += sqrtf(in[(i + 17) % n] + 2.0f);
      [[fallthrough]];
    case 2:
      x -= in[(i + 19) % n];
      break;
    default:
      x = 1.0f / (x + 3.0f);
  }
  out[i] = x;
}

__global__ void goto_into_the_other_branch(const float* in, const int* choices, float* out, int n) {
  int i = index_of_thread();
  if (i >= n) return;
  float x = in[i];
  if (choices[i] % 2 == 0) {
    x += in[(i + 3) % n];
    if (x > 0.5f) goto shared_end;
    x *= in[(i + 5) % n];
  } else {
    x -= in[(i + 7) % n];
    if (x < -0.5f) goto shared_end;
    x /= in[(i + 9) % n] + 2.0f;
  }
  out[i] = x;
  return;
shared_end:
  out[i] = x + in[(i + 21) % n];
}
