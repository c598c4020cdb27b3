// SPDX-License-Identifier: Apache-2.0
// Instructions that involve several threads, on a GPU and in the interpreter, from the same PTX.
// Results must be equal to the bit.
#include <gtest/gtest.h>

#include "gpu/gpu_job.h"
#include "gpu/same_counts.h"
#include "support/results.h"

namespace tilestep::test::lanes_test {

/// `body` sets r from i, the thread's index in its block of 64; `before` precedes the kernel.
std::string lanesText(const std::string& body, const std::string& before) {
  return "/*---\nentry = \"test\"\narch = \"compute_80\"\nsizes = { n = 640 }\n[launch]\n"
         "block = [\"64\"]\ngrid = [\"ceildiv(n, 64)\"]\n[[operand]]\nname = \"P\"\n"
         "type = \"u32\"\nextent = \"n\"\ndirection = \"out\"\n[[operand]]\nname = \"n\"\n"
         "kind = \"scalar\"\n---*/\n" +
         before +
         "\nextern \"C\" __global__ void test(unsigned* P, int n) {\n"
         "  __shared__ unsigned s[8]; __shared__ unsigned long long d[4]; __shared__ float f[4];\n"
         "  unsigned i = threadIdx.x, x = i * 2654435761u + blockIdx.x, r = 0;\n"
         "  unsigned* g = P + 64 * blockIdx.x;\n"
         "  if (i < 8) s[i] = 1000 + i;\n  if (i < 4) { d[i] = i - 2; f[i] = i; }\n"
         "  g[i] = i;\n  __syncthreads();\n" +
         body + "\n  __syncthreads();\n  P[64 * blockIdx.x + i] = r;\n}\n";
}

class Together : public ::testing::Test {
 protected:
  void SetUp() override { gpu_ = openFirstGpu(); }

  void expectSame(const std::string& body, const std::string& before = {}) {
    const device::Job job = valueOrThrow(maker_.fromText(lanesText(body, before), {{"n", 640}}));
    expectSameOutputs(job, body);
  }

  void expectSameOutputs(device::Job job, const std::string& body) {
    job.outputs = true;
    job.timeoutSeconds = 20;
    const auto simt = device::openSimt();
    const device::Outcome a = valueOrThrow(gpu_->run(job, {}));
    const device::Outcome b = valueOrThrow(simt->run(job, {}));
    for (const device::Fault& fault : b.faults) ADD_FAILURE() << fault.message << "\n" << body;
    EXPECT_EQ(a.outputs, b.outputs) << body;
  }

  std::unique_ptr<device::Device> gpu_;
  JobMaker maker_;
};

TEST_F(Together, ShufflesOfEveryModeAndWidth) {
  TILESTEP_NEED_GPU(gpu_);
  std::string body;
  for (const char* mode : {"up", "down", "bfly", "idx"}) {
    for (const char* clamp : {"31", "0", "0x1c1f", "0x1c00", "0x181f", "0x1003", "0x10f"}) {
      body += "{ unsigned v, p; asm volatile(\"{ .reg .pred q; shfl.sync." + std::string(mode) +
              ".b32 %0|q, %2, %3, " + clamp +
              ", -1; selp.u32 %1, 1, 0, q; }\" : \"=r\"(v), \"=r\"(p) : \"r\"(x), \"r\"((i * 7) % "
              "40)); r = r * 31 + v * 2 + p; }\n";
    }
  }
  expectSame(body);
}

TEST_F(Together, VotesMatchesAndReductionsOfAWarp) {
  TILESTEP_NEED_GPU(gpu_);
  expectSame(
      "r = __ballot_sync(~0u, x & 1) + __all_sync(~0u, i < 40) * 2 + "
      "__any_sync(~0u, i == 63) * 4;\n"
      "unsigned u; asm volatile(\"{ .reg .pred a, b; setp.lt.u32 a, %1, 32; vote.sync.uni.pred"
      " b, a, -1; selp.u32 %0, 8, 0, b; }\" : \"=r\"(u) : \"r\"(i)); r += u;");
  expectSame(
      "int all; r = __match_any_sync(~0u, x % 5); r ^= __match_all_sync(~0u, i / 32, &all);"
      " r += all; r ^= __match_any_sync(~0u, (unsigned long long)(x % 3) << 40);"
      " r += __match_all_sync(~0u, i, &all) + all;");
  expectSame(
      "r = __reduce_add_sync(~0u, x) ^ __reduce_min_sync(~0u, (int)x) * 3 ^ "
      "__reduce_max_sync(~0u, (int)x) * 5 ^ __reduce_min_sync(~0u, x) * 7 ^ "
      "__reduce_max_sync(~0u, x) * 11 ^ __reduce_and_sync(~0u, x | 7) * 13 ^ "
      "__reduce_or_sync(~0u, x & 0xff00) * 17 ^ __reduce_xor_sync(~0u, x) * 19;");
  expectSame("if (i % 3 == 0) r = __ballot_sync(i < 32 ? 0x49249249u : 0x92492492u, x & 4);");
  expectSame(
      "unsigned m; asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(m)); r = m;\n"
      "asm(\"mov.u32 %0, %%lanemask_ge;\" : \"=r\"(m)); r = r * 3 + m;\n"
      "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(m)); r = r * 3 + m;");
}

TEST_F(Together, AtomicsLeaveTheSameInMemory) {
  TILESTEP_NEED_GPU(gpu_);
  for (const std::string at : {"s[i % 8]", "g[i % 8]"}) {
    for (const std::string call :
         {"Add(&A, x)", "Min(&A, x)", "Max(&A, x)", "Min((int*)&A, (int)x)",
          "Max((int*)&A, (int)x)", "Inc(&A, 1004)", "Dec(&A, 1004)", "And(&A, x | 3)", "Or(&A, x)",
          "Xor(&A, x)"}) {
      std::string filled = call;
      filled.replace(filled.find("&A") + 1, 1, at);
      expectSame("atomic" + filled + "; __syncthreads(); r = i < 8 ? " + at + " : 0;");
    }
  }
  for (const char* call :
       {"Add(&d[i % 4], (unsigned long long)x << 20)",
        "Min((long long*)&d[i % 4], (long long)(int)x)",
        "Max((long long*)&d[i % 4], (long long)(int)x)",
        "Min(&d[i % 4], (unsigned long long)x << 3)", "Max(&d[i % 4], (unsigned long long)x << 3)",
        "And(&d[i % 4], ~(1ull << i))", "Or(&d[i % 4], 1ull << i)", "Xor(&d[i % 4], 1ull << i)"}) {
    expectSame("atomic" + std::string(call) +
               "; __syncthreads(); r = (unsigned)d[i % 4] ^ (unsigned)(d[i % 4] >> 32);");
  }
  expectSame(
      "atomicAdd(&f[i % 4], (float)(int)i); __syncthreads(); r = __float_as_uint(f[i % 4]);");
  expectSame(
      "if (i == 0) r = atomicCAS(&s[0], 1000, 5) + atomicCAS(&s[0], 7, 9) + "
      "atomicExch(&s[0], 3) + s[0] + atomicCAS(&g[9], 9, 70) + g[9];");
}

TEST_F(Together, FloatAtomicsTreatSubnormalsTheSame) {
  TILESTEP_NEED_GPU(gpu_);
  for (const char* at : {"f", "(float*)g"}) {
    for (const char* value : {"3e-39f", "-3e-39f", "1.2e-38f", "-0.0f"}) {
      expectSame("float* a = " + std::string(at) +
                 "; if (i == 0) { a[0] = 2e-39f; a[1] = -0.0f; "
                 "a[2] = 1.3e-38f; __threadfence_block(); for (int k = 0; k < 3; ++k) { "
                 "atomicAdd(a + k, " +
                 value + "); r = r * 31 + __float_as_uint(a[k]); } }");
    }
  }
  expectSame(
      "__half2* h = (__half2*)g; if (i == 0) { g[0] = 0x00013c00u; __threadfence(); "
      "atomicAdd(h, __floats2half2_rn(0.3f, 6e-8f)); __threadfence(); r = g[0]; }",
      "#include <cuda_fp16.h>");
}

TEST_F(Together, BarriersThatReduce) {
  TILESTEP_NEED_GPU(gpu_);
  expectSame(
      "r = __syncthreads_count(x & 1) * 4 + __syncthreads_and(i < 64) * 2 + "
      "__syncthreads_or(i == 77);");
}

/// `body` on P[n] (out) in blocks of 256, with i, the thread's index in the grid, and an array.
std::string gridText(const std::string& body, const std::string& before, int n) {
  return "/*---\nentry = \"test\"\nsizes = { n = " + std::to_string(n) +
         " }\n[launch]\nblock = [\"256\"]\ngrid = [\"ceildiv(n, 256)\"]\n[[operand]]\n"
         "name = \"P\"\ntype = \"u32\"\nextent = \"n\"\ndirection = \"out\"\n[[operand]]\n"
         "name = \"n\"\nkind = \"scalar\"\n---*/\n" +
         before +
         "\nextern \"C\" __global__ void test(unsigned* P, int n) {\n"
         "  __shared__ int line[256]; int t = threadIdx.x, i = 256 * blockIdx.x + t;\n" +
         body + "\n}\n";
}

const std::string kReturnEarly = "if (i >= n) return;\n";
const std::string kReverse =
    "line[t] = i * 7; __syncthreads(); int live = min(256, n - (i - t));\n"
    "int odd = __syncthreads_count(line[t] & 1);\n"
    "for (int k = 0; k < 5; ++k) { __syncthreads(); odd += line[(t + k) % live]; }\n"
    "P[i] = line[live - 1 - t] * 1000 + odd;\n";

/// Grids whose last block or warp is not full.
class ReturnsEarly : public Together {
 protected:
  /// The job for each size; `before` precedes the kernel.
  template <typename Expect>
  void forEachSize(const std::string& body, const std::string& before, Expect expect) {
    for (const int n : {1000, 1, 33, 256, 300}) {
      SCOPED_TRACE(n);
      device::Job job = valueOrThrow(maker_.fromText(gridText(body, before, n), {{"n", n}}));
      expect(job);
    }
  }

  /// Compares a plain run, counts of the GPU, and counts of the interpreter.
  void expectSameCountsOf(const std::string& body) {
    forEachSize(body, {}, [&](device::Job& job) {
      job.outputs = true;
      job.timeoutSeconds = 20;
      expectSameCounts(*gpu_, job);
    });
  }
};

TEST_F(ReturnsEarly, FromTheKernel) {
  TILESTEP_NEED_GPU(gpu_);
  expectSameCountsOf(kReturnEarly + kReverse);
}

TEST_F(ReturnsEarly, BeforeANamedBarrierOfTheRemainingWarps) {
  TILESTEP_NEED_GPU(gpu_);
  expectSameCountsOf(kReturnEarly +
                     "line[t] = i; int live = min(256, n - (i - t)), all = (live + 31) / 32 * 32;\n"
                     "asm volatile(\"bar.sync 1, %0;\" ::\"r\"(all) : \"memory\");\n"
                     "P[i] = line[live - 1 - t];\n");
}

TEST_F(ReturnsEarly, ADeviceFunctionAfterWhichTheKernelReturns) {
  TILESTEP_NEED_GPU(gpu_);
  const std::string work =
      "__device__ __noinline__ void work(unsigned* P, int n, int* line, int t, int i) {\n";
  // The GPU does not count a kernel that calls a function.
  const std::string call = "work(P, n, line, t, i);";
  forEachSize(call, work + kReturnEarly + kReverse + "}\n",
              [&](const device::Job& job) { expectSameOutputs(job, call); });
}

TEST_F(Together, CallsThatRecurseAndCallsByAddress) {
  TILESTEP_NEED_GPU(gpu_);
  expectSame(
      "r = ack(2, i % 5) * 100 + fib(i % 12);",
      "__device__ __noinline__ int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? "
      "ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }\n"
      "__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }");
  expectSame("r = table[x % 3](i) + table[(i + 1) % 3](x);",
             "typedef unsigned (*Step)(unsigned);\n"
             "__device__ __noinline__ unsigned a(unsigned v) { return v * 3; }\n"
             "__device__ __noinline__ unsigned b(unsigned v) { return v + 11; }\n"
             "__device__ __noinline__ unsigned c(unsigned v) { return v ^ 0x5555; }\n"
             "__device__ Step table[3] = {a, b, c};");
}

TEST_F(Together, ASpinLockBetweenLanes) {
  TILESTEP_NEED_GPU(gpu_);
  expectSame(
      "bool done = false; while (!done) { if (atomicCAS(&s[0], 1000, 1) == 1000) { "
      "volatile unsigned* v = s + 1; *v = *v + i; __threadfence_block(); "
      "atomicExch(&s[0], 1000); done = true; } } __syncthreads(); r = s[1];");
}

}  // namespace tilestep::test::lanes_test
