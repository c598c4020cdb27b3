// SPDX-License-Identifier: Apache-2.0
// Reports of mistakes in whole programs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/results.h"
#include "support/tool.h"
#include "system/written_program.h"

namespace tilestep::system_test::program_findings_test {

using Json = nlohmann::json;
using support::Finished;

/// Each thread of two warps reads what the thread before it wrote.
std::string neighbours(const std::string& barrier) {
  return "#include <cstdio>\n"
         "__global__ void shift(const int* in, int* out) {\n"
         "  __shared__ int tile[64];\n"
         "  int i = threadIdx.x;\n"
         "  tile[i] = in[i];\n" +
         barrier +
         "\n"
         "  out[i] = i > 0 ? tile[i - 1] : 0;\n"
         "}\n"
         "int main() {\n"
         "  int h[64], *d_in, *d_out;\n"
         "  for (int i = 0; i < 64; ++i) h[i] = i + 1;\n"
         "  cudaMalloc(&d_in, sizeof h);\n"
         "  cudaMalloc(&d_out, sizeof h);\n"
         "  cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice);\n"
         "  shift<<<1, 64>>>(d_in, d_out);\n"
         "  cudaMemcpy(h, d_out, sizeof h, cudaMemcpyDeviceToHost);\n"
         "  std::printf(\"%d\\n\", h[32]);\n"
         "}\n";
}

TEST(Program, AnAccessBeyondAnAllocationIsReportedWithItsLine) {
  expectReport(withMain("  cudaMalloc(&d_x, n * 2);\n"
                        "  ones<<<1, 128>>>(d_x, n);\n"
                        "  cudaDeviceSynchronize();"),
               1,
               {"in ones: out-of-bounds: A write of 4 bytes ends 4 bytes past the "
                "end of d_x, which has 200 bytes (thread (50, 0, 0) of block "
                "(0, 0, 0), line 4)."});
}

TEST(Program, ARefusedLaunchIsReportedWithItsReasonAndTheMissingCheck) {
  expectReport(withMain("  cudaMalloc(&d_x, n * 4);\n"
                        "  ones<<<1, 2000>>>(d_x, n);\n"
                        "  cudaFree(d_x);"),
               1,
               {"hw.cu:11: launch-failed: The launch of ones was refused: its "
                "block of 2000 x 1 x 1 has 2000 threads; at most 1024 are "
                "possible.",
                "hw.cu:11: unchecked-error: The program never checks whether"});
}

TEST(Program, ARefusedLaunchThatTheProgramHandlesIsARemark) {
  expectReport(withMain("  cudaMalloc(&d_x, n * 4);\n"
                        "  ones<<<1, 2000>>>(d_x, n);\n"
                        "  if (cudaGetLastError() != cudaSuccess) ones<<<1, 128>>>(d_x, n);\n"
                        "  cudaFree(d_x);"),
               0, {"Remarks:\n  hw.cu:11: launch-failed:"});
}

TEST(Program, AnErrorIsTracedToTheLaunchThatFailed) {
  expectReport(withMain("  cudaMalloc(&d_x, 4);\n"
                        "  ones<<<1, 128>>>(d_x, n);\n"
                        "  return cudaMemcpy(h, d_x, 4, cudaMemcpyDeviceToHost) != cudaSuccess;"),
               1,
               {"hw.cu:12: unchecked-error: cudaMemcpy in line 12 returns an error of "
                "earlier work (an illegal memory access): the launch of ones in line 11 "
                "failed"});
}

TEST(Program, AnUnwrittenTailIsTracedToATooSmallLaunch) {
  const std::string rest =
      "  ones<<<n / 64, 64>>>(d_x, n);\n"
      "  cudaMemcpy(h, d_x, n * 4, cudaMemcpyDeviceToHost);";
  expectReport(
      withMain("  cudaMalloc(&d_x, n * 4);\n" + rest), 1,
      {"hw.cu:11: grid-too-small: The launch of ones has 64 threads (1 block of 64), which "
       "do not reach all 100 elements of d_x: elements 64 to 99 are never set."});
  expectReport(withMain("  cudaMalloc(&d_x, n * 4); cudaMemset(d_x, 0, n * 4);\n" + rest), 0,
               {"elements 64 to 99 keep their previous values"});
}

TEST(Program, OmissionsThatMayBeIntendedAreRemarks) {
  expectReport(
      "__global__ void inner(float* x, int n) {\n"
      "  int i = threadIdx.x + 1;\n"
      "  if (i < n - 1) x[i] = i;\n"
      "}\n"
      "int main() {\n"
      "  float h[100], *d;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  inner<<<1, 128>>>(d, 100);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n",
      0, {"hw.cu:9: partial-output: 8 bytes of the 400 bytes"});
}

TEST(Program, ACopyOfElementsInsteadOfBytesIsFound) {
  expectReport(
      "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
      "int main() {\n"
      "  float h[64] = {}, *d;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);\n"
      "  twice<<<1, 64>>>(d);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n",
      1,
      {"hw.cu:5: wrong-size: cudaMemcpy sets 64 bytes of d, which has 256 bytes, "
       "but twice reads more in line 1: the size is in bytes, not in "
       "elements."});
}

TEST(Program, HostAddressesAreTracedToTheirCopy) {
  expectReport(
      "#include <cstdlib>\n"
      "__global__ void zero(float** rows) { rows[threadIdx.x][0] = 0; }\n"
      "int main() {\n"
      "  float *h[2] = {(float*)malloc(4), (float*)malloc(4)}, **d;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
      "  zero<<<1, 2>>>(d);\n"
      "  cudaDeviceSynchronize();\n"
      "}\n",
      1,
      {"hw.cu:6: device-touches-host-memory: cudaMemcpy copies host addresses "
       "to d, and zero in line 7 dereferences them"});
}

TEST(Program, UseOfManagedMemoryBeforeSynchronisationIsFound) {
  const std::string body =
      "  cudaMallocManaged(&d_x, n * 4);\n"
      "  ones<<<1, 128>>>(d_x, n);\n";
  const std::string use = "  printf(\"%g\\n\", d_x[5]);";
  const std::string early = expectReport(
      withMain(body + use), 1,
      {"hw.cu:12: unordered: The host reads d_x, which the launch of ones in line 11 writes. "
       "Nothing waits for that work"});
  EXPECT_EQ(early.size(), 2U) << "the program goes on";
  EXPECT_EQ(expectReport(withMain(body + "  cudaDeviceSynchronize();\n" + use), 0, {}), "1\n");
}

TEST(Program, SlowOrDoubtfulCodeIsARemark) {
  expectReport(
      "#include <chrono>\n"                                                // 1
      "__global__ void columns(float* x) { x[threadIdx.x * 64] += 1; }\n"  // 2
      "int main() {\n"                                                     // 3
      "  float* d;\n"                                                      // 4
      "  cudaMalloc(&d, 4 * 64 * 256);\n"                                  // 5
      "  cudaMemset(d, 1, 4 * 64 * 256);\n"                                // 6
      "  auto start = std::chrono::steady_clock::now();\n"                 // 7
      "  columns<<<1, 256>>>(d);\n"                                        // 8
      "  auto time = std::chrono::steady_clock::now() - start;\n"          // 9
      "  cudaFree(d);\n"                                                   // 10
      "  return time.count() < 0;\n"                                       // 11
      "}\n",
      0,
      {"No fault was found", "hw.cu:6: memset-bytes: ", "hw.cu:9: timer: ",
       "hw.cu:2: coalescing: In columns, loads of 4 bytes from d need 32 sectors "
       "of 32 bytes per request, but 4 would suffice"});
}

TEST(Program, HostAccessToDeviceMemoryIsFoundWithItsLine) {
  expectReport(
      withMain("  cudaMalloc(&d_x, n * 4);\n"
               "  d_x[3] = 5;"),
      1, {"ended by signal 11", "hw.cu:11: host-touches-device-memory: The host writes to d_x"});
}

TEST(Program, DeviceAccessToHostMemoryIsFound) {
  expectReport(withMain("  d_x = h;\n"
                        "  ones<<<1, 128>>>(d_x, n);\n"
                        "  cudaDeviceSynchronize();"),
               1, {"device-touches-host-memory"});
}

TEST(Program, ARaceWithARightResultIsReproduced) {
  const WrittenProgram program(neighbours(""));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.out, "32\n");
  EXPECT_EQ(done.status, 1);
  const size_t said =
      done.err.find("in shift: its result depends on luck: out[32] is 32 here, and ");
  ASSERT_NE(said, std::string::npos) << done.err;
  EXPECT_TRUE(has(done.err.substr(said), " with its blocks and warps in another order (--order "))
      << done.err;
  // The reported order reproduces it.
  const std::string order = done.err.substr(done.err.find("--order ", said) + 8);
  EXPECT_NE(program.run({"--order", order.substr(0, order.find(')'))}).out, "32\n");
  const Json json = Json::parse(program.run({"--check", "--json"}).out);
  EXPECT_EQ(json["launches"][0]["orders"]["element"], "out[32]");
  EXPECT_EQ(json["launches"][0]["orders"]["expected"], 32);
}

/// Lanes run in lockstep in the interpreter.
TEST(Program, ARaceThatNoOrderShowsIsReported) {
  expectReport(
      "__global__ void turn(int* to) {\n"
      "  __shared__ int tile[32];\n"
      "  tile[threadIdx.x] = threadIdx.x;\n"
      "  to[threadIdx.x] = tile[31 - threadIdx.x];\n"
      "}\n"
      "int main() {\n"
      "  int *d, h[32];\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  turn<<<1, 32>>>(d);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n",
      1, {"in turn: 64 other orders of its blocks and warps gave the same result"});
}

TEST(Program, ALockReleasedByAPlainStoreIsReported) {
  expectReport(
      "__global__ void count(int* lock, int* sum) {\n"
      "  if (threadIdx.x != 0) return;\n"
      "  while (atomicCAS(lock, 0, 1) != 0) {}\n"
      "  __threadfence();\n"
      "  *sum += 1;\n"
      "  __threadfence();\n"
      "  *lock = 0;\n"
      "}\n"
      "int main() {\n"
      "  int *d;\n"
      "  cudaMalloc(&d, 8);\n"
      "  cudaMemset(d, 0, 8);\n"
      "  count<<<8, 32>>>(d, d + 1);\n"
      "  cudaDeviceSynchronize();\n"
      "}\n",
      1, {"the lock is released with a plain store"});
}

TEST(Program, AnOverflowOfTheHostIsARemark) {
  expectReport(withMain("  int wide = 50000;\n"
                        "  size_t bytes = wide * wide;\n"
                        "  int hash = 0;\n"
                        "  for (int i = 0; i < 100; ++i) hash += 1 << 30;\n"
                        "  std::printf(\"%zu %d\", bytes, hash);"),
               0, {"hw.cu:11: overflow: 50000 * 50000 is more than an int can hold"});
}

TEST(Program, CallsThatTheRuntimeRejectsAreFound) {
  expectReport(
      "__constant__ float gain[4];\n"
      "__global__ void use(float* to) { to[threadIdx.x] = gain[threadIdx.x]; }\n"
      "int main() {\n"
      "  float h[8] = {}, *d;\n"
      "  cudaMemcpyToSymbol(gain, h, sizeof h);\n"
      "  cudaMalloc(&d, 16);\n"
      "  use<<<1, 4>>>(d);\n"
      "  cudaMemcpy2D(h, 2, d, 2, 8, 2, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n",
      1,
      {"hw.cu:5: copy-out-of-bounds: The copy is refused: it goes past the end of "
       "gain, which has 16 bytes, but 32 bytes are requested.",
       "hw.cu:7: never-copied: use uses gain",
       "hw.cu:8: wrong-size: The copy is refused: its rows of 8 bytes are longer "
       "than their pitch of 2 bytes"});
}

TEST(Program, ARaceOfEqualValuesIsARemark) {
  expectReport(
      "__global__ void level(int* depth, int now) {\n"
      "  int next = (threadIdx.x / 2 + blockIdx.x) % 64;\n"
      "  if (depth[next] < 0) depth[next] = now;\n"
      "}\n"
      "int main() {\n"
      "  int h[64], *d;\n"
      "  for (int i = 0; i < 64; ++i) h[i] = -1;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
      "  level<<<4, 128>>>(d, 1);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n",
      0, {"in level: line 3 writes d[", "All of these writes store the same value"});
}

TEST(Program, AnAccessOutsideItsRowIsARemark) {
  expectReport(
      "__global__ void right(const float* in, float* out, int rows, int columns) {\n"
      "  int c = threadIdx.x, r = blockIdx.x;\n"
      "  if (r < rows && c < columns && r * columns + c + 1 < rows * columns)\n"
      "    out[r * columns + c] = in[r * columns + c + 1];\n"
      "}\n"
      "int main() {\n"
      "  float h[6 * 40] = {}, *d_in, *d_out;\n"
      "  cudaMalloc(&d_in, sizeof h);\n"
      "  cudaMalloc(&d_out, sizeof h);\n"
      "  cudaMemset(d_out, 0, sizeof h);\n"
      "  cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice);\n"
      "  right<<<6, 64>>>(d_in, d_out, 6, 40);\n"
      "  cudaMemcpy(h, d_out, sizeof h, cudaMemcpyDeviceToHost);\n"
      "}\n",
      0, {"outside-row: in right: "});
}

}  // namespace tilestep::system_test::program_findings_test
