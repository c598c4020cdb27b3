// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace_cases.h"

#include <algorithm>

namespace tilestep::test {
namespace {

using compile::Bindings;

Bindings product(int64_t m, int64_t n, int64_t k) {
  return {{"m", m}, {"n", n}, {"k", k}};
}

std::vector<Bindings> productSizes(bool large) {
  std::vector<Bindings> sizes{product(1, 1, 1), product(7, 7, 7), product(33, 33, 33),
                              product(100, 37, 61)};
  if (large) sizes.push_back(product(256, 256, 256));
  return sizes;
}

void addFreeTiles(std::vector<TraceCase>& cases, const Bindings& sizes) {
  const auto tiles = [](int64_t m, int64_t n, int64_t k, int64_t x, int64_t y) {
    return Bindings{{"TILE_M", m}, {"TILE_N", n}, {"TILE_K", k}, {"BLOCK_X", x}, {"BLOCK_Y", y}};
  };
  for (const Bindings& tunables :
       {tiles(32, 32, 16, 16, 16), tiles(5, 7, 3, 2, 3), tiles(1, 1, 1, 1, 1)}) {
    cases.push_back({"matmul_tiled_free", sizes, tunables});
  }
}

void addProducts(std::vector<TraceCase>& cases, bool large) {
  for (const Bindings& sizes : productSizes(large)) {
    for (const auto& [x, y] : {std::pair{16, 16}, {32, 8}, {5, 7}, {1, 1}}) {
      cases.push_back({"matmul_naive", sizes, {{"BLOCK_X", x}, {"BLOCK_Y", y}}});
    }
    for (const int64_t width : {1, 4, 5, 16, 31, 32}) {
      cases.push_back({"matmul_tiled", sizes, {{"TILE_WIDTH", width}}});
    }
    for (const int64_t width : {4, 16}) {
      cases.push_back({"matmul_tiled_dynamic", sizes, {{"TILE_WIDTH", width}}});
      cases.push_back({"matmul_tiled_swapped", sizes, {{"TILE_WIDTH", width}, {"PAD", 1}}});
    }
    addFreeTiles(cases, sizes);
  }
}

}  // namespace

std::string nameOf(const TraceCase& c) {
  std::string name = c.kernel;
  for (const auto& [key, value] : c.sizes) name += " " + key + "=" + std::to_string(value);
  for (const auto& [key, value] : c.tunables) name += " " + key + "=" + std::to_string(value);
  return name;
}

std::vector<TraceCase> traceCases(bool large) {
  std::vector<TraceCase> cases;
  addProducts(cases, large);
  std::vector<Bindings> sizes{{{"m", 1}, {"n", 1}}, {{"m", 33}, {"n", 100}}};
  if (large) sizes.push_back({{"m", 256}, {"n", 256}});
  for (const Bindings& size : sizes) {
    for (const auto& [x, y] : {std::pair{32, 32}, {16, 16}, {7, 3}}) {
      cases.push_back({"matrix_sum", size, {{"BLOCK_X", x}, {"BLOCK_Y", y}}});
    }
    for (const int64_t variant : {0, 1, 2}) {
      for (const int64_t width : {5, 32}) {
        cases.push_back({"transpose", size, {{"VARIANT", variant}, {"TILE_WIDTH", width}}});
      }
    }
  }
  return cases;
}

std::vector<Dim3> blocksOf(const Dim3& grid) {
  std::vector<Dim3> blocks{{0, 0, 0},
                           {grid.x - 1, 0, 0},
                           {0, grid.y - 1, grid.z - 1},
                           {grid.x - 1, grid.y - 1, grid.z - 1},
                           {grid.x / 2, grid.y / 2, grid.z / 2}};
  std::vector<Dim3> each;
  for (const Dim3& block : blocks) {
    if (std::find(each.begin(), each.end(), block) == each.end()) each.push_back(block);
  }
  return each;
}

std::string mixedKernel() {
  return R"cu(/*---
entry = "mixed"
sizes = { n = 1000 }
[launch]
block = ["24", "4"]
grid = ["ceildiv(n, 96)"]
dynamic_shared_bytes = "768"
[[operand]]
name = "in"
extent = "4 * n"
[[operand]]
name = "bytes"
type = "u8"
extent = "n"
[[operand]]
name = "out"
extent = "4 * n"
direction = "inout"
[[operand]]
name = "wide"
type = "f64"
extent = "n"
direction = "out"
[[operand]]
name = "n"
kind = "scalar"
---*/
__device__ float table[96];
extern __shared__ double eight[];
__global__ void mixed(const float* in, const unsigned char* bytes, float* out, double* wide,
                      int n) {
  __shared__ float four[4 * 96];
  __shared__ unsigned char one[96];
  int t = threadIdx.x + 24 * threadIdx.y;
  int i = blockIdx.x * 96 + t;
  if (t == 95) table[blockIdx.x] = 1.5f;
  float4 v = {0, 0, 0, 0};
  if (i < n) v = reinterpret_cast<const float4*>(in)[i];
  reinterpret_cast<float4*>(four)[t] = v;
  eight[t] = v.x;
  one[t * 5 % 96] = i < n ? bytes[n - 1 - i] : 0;
  __syncthreads();
  double sum = 0;
  for (int j = 0; j < t % 7; ++j) {
    if ((j + t) % 3 == 0) continue;
    sum += eight[(3 * t + j) % 96] * one[(t * 3 + j) % 96];
    if (sum > 40.0) break;
  }
  float low = 0;
  const float* chosen = t % 2 == 0 ? four + t : in + i % n;  // Generic: shared or global.
  for (int j = 0; j < 3; ++j) low += chosen[j] * 0.5f;
  __syncthreads();
  // Guards of single instructions, which compilers seldom write.
  float kept = 0;
  for (int j = 0; j < 4; ++j) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.f32 %0, [%1];\n"
        "  @!p fma.rn.f32 %0, %0, %0, 0f3E800000; }"
        : "+f"(kept)
        : "l"(in + (i + j) % n), "r"((t + j) % 3));
  }
  if (i >= n) return;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 1; @!p st.global.f32 [%0+8], %1; }"
               :
               : "l"(out + 4 * i), "f"(kept), "r"(t % 4)
               : "memory");
  short count = 0;
  for (int j = 0; j < t % 5; ++j) count = static_cast<short>(count - one[(t + j) % 96]);
  float2 a = reinterpret_cast<float2*>(four)[t * 2 % 192];
  reinterpret_cast<float4*>(out)[i].x += a.x * 2.0f + a.y + low;
  if (i % 3 == 0) out[4 * i + 3] = in[(i * 37) % n];
  out[4 * i + 1] = count;
  wide[i] = sum;
}
)cu";
}

::testing::AssertionResult sameRecordings(const trace::BlockTrace& a, const trace::BlockTrace& b) {
  const auto fail = [] { return ::testing::AssertionFailure(); };
  const bool sameHead = a.block == b.block && a.blockShape == b.blockShape &&
                        a.uneven == b.uneven && a.accumulators == b.accumulators &&
                        a.feeds == b.feeds && a.truncated() == b.truncated();
  if (!sameHead) return fail() << "block, shape, uneven, accumulators, feeds or truncated differ";
  const auto sameArray = [](const trace::SharedArray& x, const trace::SharedArray& y) {
    return x.name == y.name && x.offset == y.offset && x.bytes == y.bytes && x.columns == y.columns;
  };
  if (!std::equal(a.sharedArrays.begin(), a.sharedArrays.end(), b.sharedArrays.begin(),
                  b.sharedArrays.end(), sameArray)) {
    return fail() << "shared arrays differ";
  }
  if (a.size() != b.size()) return fail() << a.size() << " events against " << b.size();
  for (size_t i = 0; i < a.size(); ++i) {
    const trace::TraceEvent x = a.event(i), y = b.event(i);
    const bool same =
        x.epoch == y.epoch && x.warp == y.warp && x.sequence == y.sequence &&
        x.instruction == y.instruction && x.line == y.line && x.operation == y.operation &&
        x.space == y.space && x.width == y.width && x.buffer == y.buffer && x.mask == y.mask &&
        std::equal(x.offsets.begin(), x.offsets.end(), y.offsets.begin(), y.offsets.end()) &&
        std::equal(x.values.begin(), x.values.end(), y.values.begin(), y.values.end());
    if (same) continue;
    return fail() << "event " << i << " of " << a.size() << ": instruction " << x.instruction
                  << " and " << y.instruction << ", warps " << x.warp << " and " << y.warp
                  << ", epochs " << x.epoch << " and " << y.epoch << ", masks " << std::hex
                  << x.mask << " and " << y.mask << ", buffers " << x.buffer << " and " << y.buffer;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace tilestep::test
