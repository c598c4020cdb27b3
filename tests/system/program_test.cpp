// SPDX-License-Identifier: Apache-2.0
// Whole programs, with host code: compiled, run as processes of their own on the interpreter, and
// told what they do wrong.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "support/toolkit.h"

namespace tilestep::system_test {
namespace program_test {

using Json = nlohmann::json;
using support::Finished;
using support::tilestep;
using support::Words;

std::string shipped(const std::string& name) {
  return support::sourceRoot() + "/tests/programs/" + name;
}

/// A program in a folder of its own.
class Written {
 public:
  explicit Written(const std::string& text) { EXPECT_TRUE(writeFileAtomically(path(), text).ok()); }
  [[nodiscard]] std::string path() const { return (folder_.path() / "hw.cu").string(); }
  [[nodiscard]] Finished run(Words options = {}) const {
    Words words{"run", path(), "--device", "simt"};
    words.insert(words.end(), options.begin(), options.end());
    return tilestep(words);
  }

 private:
  PrivateFolder folder_;
};

/// A program whose `main` has this body, with a kernel that sets n floats to 1.
std::string withMain(const std::string& body) {
  return "#include <cstdio>\n"                                 // 1
         "__global__ void ones(float* to, int n) {\n"          // 2
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"  // 3
         "  if (i < n) to[i] = 1;\n"                           // 4
         "}\n"                                                 // 5
         "int main() {\n"                                      // 6
         "  const int n = 100;\n"                              // 7
         "  float h[100] = {};\n"                              // 8
         "  float* d_x;\n" +                                   // 9
         body +
         "\n  return 0;\n}\n";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Program, ARightProgramRunsWithItsArgumentsAndNoFaultIsFound) {
  const Finished done = tilestep({"run", shipped("vector_add.cu"), "--check", "--", "300"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "block of 256\n0 wrong, 300 added\n");
  EXPECT_TRUE(contains(done.err, "1 launch of add<float> on the SIMT interpreter")) << done.err;
  EXPECT_TRUE(contains(done.err,
                       "No fault was found in 1 launch on these inputs: bounds, races, "
                       "barriers, uninitialised values, host calls."))
      << done.err;
}

TEST(Program, EveryFamilyOfTheRuntimeDoesWhatItSays) {
  const Finished done = tilestep({"run", shipped("every_family.cu"), "--check"});
  EXPECT_EQ(done.out, "done\n") << done.err;
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST(Program, ItsStatusIsTheCommandsWithoutCheck) {
  const Written program(withMain("  return 3;"));
  EXPECT_EQ(program.run().status, 3);
  const Finished checked = program.run({"--check"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_TRUE(checked.err.starts_with("The program reports failure (status 3).\n")) << checked.err;
}

TEST(Program, AnAccessBeyondAnAllocationNamesItAndTheLine) {
  const Written program(
      withMain("  cudaMalloc(&d_x, n * 2);\n"
               "  ones<<<1, 128>>>(d_x, n);\n"
               "  cudaDeviceSynchronize();"));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.err,
                       "in ones: out-of-bounds: A write of 4 bytes ends 4 bytes past the "
                       "end of d_x, which has 200 bytes (thread (50, 0, 0) of block "
                       "(0, 0, 0), line 4)."))
      << done.err;
}

TEST(Program, ARefusedLaunchIsToldWithItsReasonAndThatNobodyAsked) {
  const Written program(
      withMain("  cudaMalloc(&d_x, n * 4);\n"
               "  ones<<<1, 2000>>>(d_x, n);\n"
               "  cudaFree(d_x);"));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:11: launch-failed: The launch of ones was refused: its "
                       "block of 2000 x 1 x 1 has 2000 threads; at most 1024 are "
                       "possible."))
      << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:11: unchecked-error: The program never asks whether"))
      << done.err;
}

TEST(Program, ARefusedLaunchThatTheProgramAsksAboutIsNoFaultOfAProgramThatSucceeds) {
  const Written program(
      withMain("  cudaMalloc(&d_x, n * 4);\n"
               "  ones<<<1, 2000>>>(d_x, n);\n"
               "  if (cudaGetLastError() != cudaSuccess) ones<<<1, 128>>>(d_x, n);\n"
               "  cudaFree(d_x);"));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "Remarks:\n  hw.cu:11: launch-failed:")) << done.err;
}

TEST(Program, AnErrorIsTracedFromTheCallThatIsBlamedToTheLaunchThatFailed) {
  const Written program(
      withMain("  cudaMalloc(&d_x, 4);\n"
               "  ones<<<1, 128>>>(d_x, n);\n"
               "  return cudaMemcpy(h, d_x, 4, cudaMemcpyDeviceToHost) != cudaSuccess;"));
  const Finished done = program.run({"--check"});
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:12: unchecked-error: cudaMemcpy in line 12 returns an error that is "
                       "not its own (an illegal memory access): the launch of ones in line 11 "
                       "failed"))
      << done.err;
}

TEST(Program, ATailThatNoThreadSetsIsFoundWithTheLaunchThatWasTooSmall) {
  const std::string body =
      "  cudaMalloc(&d_x, n * 4);\n"
      "  ones<<<n / 64, 64>>>(d_x, n);\n"
      "  cudaMemcpy(h, d_x, n * 4, cudaMemcpyDeviceToHost);";
  const Finished unset = Written(withMain(body)).run({"--check"});
  EXPECT_EQ(unset.status, 1);
  EXPECT_TRUE(contains(unset.err,
                       "hw.cu:11: grid-too-small: The launch of ones has 64 threads (1 block of "
                       "64), which do not reach all 100 elements of d_x: elements 64 to 99 are "
                       "never set."))
      << unset.err;
  const Finished set = Written(withMain("  cudaMalloc(&d_x, n * 4); cudaMemset(d_x, 0, n * 4);\n" +
                                        body.substr(body.find('\n') + 1)))
                           .run({"--check"});
  EXPECT_EQ(set.status, 0) << "what memset has set is a value";
  EXPECT_TRUE(contains(set.err, "elements 64 to 99 keep what they had before")) << set.err;
}

TEST(Program, WhatMayBeLeftOutOnPurposeIsARemark) {
  const Written edges(
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
      "}\n");
  const Finished done = edges.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:9: partial-output: 8 bytes of the 400 bytes")) << done.err;
}

TEST(Program, ACopyOfElementsForBytesIsFoundWhereTheRestIsRead) {
  const Written program(
      "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
      "int main() {\n"
      "  float h[64] = {}, *d;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);\n"
      "  twice<<<1, 64>>>(d);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:5: wrong-size: cudaMemcpy sets 64 bytes of d, which has 256 bytes, "
                       "and twice reads behind them in line 1: the size is one of bytes, not of "
                       "elements."))
      << done.err;
}

TEST(Program, AddressesOfTheHostAreTracedToTheCopyThatBroughtThem) {
  const Written program(
      "#include <cstdlib>\n"
      "__global__ void zero(float** rows) { rows[threadIdx.x][0] = 0; }\n"
      "int main() {\n"
      "  float *h[2] = {(float*)malloc(4), (float*)malloc(4)}, **d;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
      "  zero<<<1, 2>>>(d);\n"
      "  cudaDeviceSynchronize();\n"
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:6: device-touches-host-memory: cudaMemcpy copies addresses of the "
                       "host to d, and zero in line 7 follows them"))
      << done.err;
}

TEST(Program, TheHostsUseOfManagedMemoryBeforeItHasWaitedIsFound) {
  const std::string body =
      "  cudaMallocManaged(&d_x, n * 4);\n"
      "  ones<<<1, 128>>>(d_x, n);\n";
  const Finished early = Written(withMain(body + "  printf(\"%g\\n\", d_x[5]);")).run({"--check"});
  EXPECT_EQ(early.status, 1);
  EXPECT_EQ(early.out.size(), 2U) << "the program goes on";
  EXPECT_TRUE(contains(early.err,
                       "hw.cu:12: unordered: The host reads d_x, which the launch of ones in line "
                       "11 writes and which may not be done"))
      << early.err;
  const Finished late =
      Written(withMain(body + "  cudaDeviceSynchronize();\n  printf(\"%g\\n\", d_x[5]);"))
          .run({"--check"});
  EXPECT_EQ(late.status, 0) << late.err;
  EXPECT_EQ(late.out, "1\n");
}

TEST(Program, RemarksNameWhatIsSlowOrDoubtfulAndAreNoFaults) {
  const Written program(
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
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "No fault was found")) << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:6: memset-bytes: ")) << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:9: timer: ")) << done.err;
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:2: coalescing: In columns, loads of 4 bytes from d take 32 sectors "
                       "of 32 bytes a request, and 4 would do"))
      << done.err;
}

TEST(Program, TheHostsAccessToDeviceMemoryIsFoundWithItsLine) {
  const Written program(
      withMain("  cudaMalloc(&d_x, n * 4);\n"
               "  d_x[3] = 5;"));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.err, "ended by signal 11")) << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:11: host-touches-device-memory: The host writes to d_x"))
      << done.err;
}

TEST(Program, AKernelsAccessToTheHostsMemoryIsFound) {
  const Written program(
      withMain("  d_x = h;\n"
               "  ones<<<1, 128>>>(d_x, n);\n"
               "  cudaDeviceSynchronize();"));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.err, "device-touches-host-memory")) << done.err;
}

TEST(Program, WhatClangRefusesIsToldAtTheAuthorsLine) {
  const Written program(withMain("  undeclared(h);"));
  const Finished done = program.run();
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(contains(done.err, "hw.cu:10:3: use of undeclared identifier 'undeclared'"))
      << done.err;
}

TEST(Program, AllFunctionsThatAreMissingAreNamed) {
  const Written program("void help(int);\nint more();\n" + withMain("  help(more());"));
  const Finished done = program.run();
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(contains(done.err, "uses functions that are missing here: help(int), more()"))
      << done.err;
}

TEST(Program, JsonHasItsOutputItsCallsItsLaunchesAndWhatWasFound) {
  const Written program(
      withMain("  cudaMalloc(&d_x, n * 4);\n"
               "  ones<<<1, 128>>>(d_x, n);\n"
               "  cudaMemcpy(h, d_x, n * 4, cudaMemcpyDeviceToHost);\n"
               "  printf(\"%g\\n\", h[99]);"));
  const Finished done = program.run({"--json", "--counters"});
  EXPECT_EQ(done.status, 0) << done.err;
  const Json json = Json::parse(done.out);
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("program").at("output"), "1\n");
  EXPECT_EQ(json.at("program").at("exit"), 0);
  EXPECT_EQ(json.at("calls").at(0).at("name"), "cudaMalloc");
  EXPECT_EQ(json.at("calls").at(1).at("direction"), "device to host");
  EXPECT_EQ(json.at("calls").at(1).at("line"), 12);
  const Json& launch = json.at("launches").at(0);
  EXPECT_EQ(launch.at("kernel"), "ones");
  EXPECT_EQ(launch.at("line"), 11);
  EXPECT_EQ(launch.at("block"), Json::array({128, 1, 1}));
  EXPECT_EQ(launch.at("counters").at("total").at("global_store_threads"), 100);
  EXPECT_EQ(json.at("findings").at(0).at("kind"), "never-freed");
  EXPECT_EQ(json.at("findings").at(0).at("severity"), "remark");
}

TEST(Program, AManagedVariableIsOneForHostAndDevice) {
  const Written program(
      "#include <cstdio>\n"
      "__device__ __managed__ int count = 5;\n"
      "__managed__ float data[100];\n"
      "__global__ void twice() { atomicAdd(&count, 1); data[threadIdx.x] *= 2; }\n"
      "__global__ void add(float* to, int n) { if (threadIdx.x < n) to[threadIdx.x] += 1; }\n"
      "int main() {\n"
      "  for (int i = 0; i < 100; ++i) data[i] = i;\n"
      "  twice<<<1, 100>>>();\n"
      "  add<<<1, 128>>>(data, 100);\n"
      "  cudaDeviceSynchronize();\n"
      "  std::printf(\"%d %g %g\\n\", count, data[1], data[99]);\n"
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.out, "105 3 199\n") << done.err;
  EXPECT_EQ(done.status, 0) << done.err;
}

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

TEST(Program, ARaceWhoseResultIsRightByLuckIsShownToMatter) {
  const Written program(neighbours(""));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.out, "32\n");
  EXPECT_EQ(done.status, 1);
  const size_t said =
      done.err.find("in shift: with its blocks and warps in another order (--order ");
  ASSERT_NE(said, std::string::npos) << done.err;
  EXPECT_TRUE(contains(done.err.substr(said), ") out[32] is ")) << done.err;
  EXPECT_TRUE(contains(done.err.substr(said), " and not 32.")) << done.err;
  // The order that is named shows it.
  const std::string order = done.err.substr(done.err.find("--order ", said) + 8);
  EXPECT_NE(program.run({"--order", order.substr(0, order.find(')'))}).out, "32\n");
  const Json json = Json::parse(program.run({"--check", "--json"}).out);
  EXPECT_EQ(json["launches"][0]["orders"]["element"], "out[32]");
  EXPECT_EQ(json["launches"][0]["orders"]["expected"], 32);
}

/// Each thread writes its neighbour's word of the warp behind its own: lanes keep step here.
TEST(Program, ARaceThatNoOrderShowsIsSaidToBeOne) {
  const Written program(
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
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(
      contains(done.err, "in turn: 64 other orders of its blocks and warps left the same result"))
      << done.err;
}

TEST(Program, PointersToFunctionsAreTheSameForTheHostAndAllKernels) {
  const Written program(
      "#include <cstdio>\n"
      "typedef float (*Op)(float);\n"
      "__device__ float twice(float x) { return 2 * x; }\n"
      "__device__ float half_(float x) { return x / 2; }\n"
      "__device__ Op table[2] = {twice, half_};\n"
      "__global__ void apply(float* v, Op f) { v[threadIdx.x] = f(v[threadIdx.x]); }\n"
      "__global__ void give(Op* to) { *to = half_; }\n"
      "int main() {\n"
      "  float h[4] = {1, 2, 3, 4}, *d;\n"
      "  Op ops[2], *given;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  cudaMalloc(&given, sizeof *given);\n"
      "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
      "  cudaMemcpyFromSymbol(ops, table, sizeof ops);\n"
      "  apply<<<1, 4>>>(d, ops[0]);\n"
      "  apply<<<1, 4>>>(d, ops[0]);\n"
      "  give<<<1, 1>>>(given);\n"
      "  cudaMemcpy(ops, given, sizeof *given, cudaMemcpyDeviceToHost);\n"
      "  apply<<<1, 4>>>(d, ops[0]);\n"
      "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "  std::printf(\"%g %g\\n\", h[0], h[3]);\n"
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.out, "2 8\n") << done.err;
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST(Program, AProductOfTheHostsThatWrapsAroundIsARemark) {
  const Written program(
      withMain("  int wide = 50000;\n"
               "  size_t bytes = wide * wide;\n"
               "  int hash = 0;\n"
               "  for (int i = 0; i < 100; ++i) hash += 1 << 30;\n"
               "  std::printf(\"%zu %d\", bytes, hash);"));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:11: overflow: 50000 * 50000 is more than an int can hold"))
      << done.err;
}

TEST(Program, WhatTheRuntimeRefusesByItselfIsFound) {
  const Written program(
      "__constant__ float gain[4];\n"
      "__global__ void use(float* to) { to[threadIdx.x] = gain[threadIdx.x]; }\n"
      "int main() {\n"
      "  float h[8] = {}, *d;\n"
      "  cudaMemcpyToSymbol(gain, h, sizeof h);\n"
      "  cudaMalloc(&d, 16);\n"
      "  use<<<1, 4>>>(d);\n"
      "  cudaMemcpy2D(h, 2, d, 2, 8, 2, cudaMemcpyDeviceToHost);\n"
      "  cudaFree(d);\n"
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:5: copy-out-of-bounds: The copy is refused: it goes past the end of "
                       "gain, which has 16 bytes, and 32 bytes are asked for."))
      << done.err;
  EXPECT_TRUE(contains(done.err, "hw.cu:7: never-copied: use uses gain")) << done.err;
  EXPECT_TRUE(contains(done.err,
                       "hw.cu:8: wrong-size: The copy is refused: its rows of 8 bytes are longer "
                       "than their pitch of 2 bytes"))
      << done.err;
}

/// Each level stores one number from several threads, as textbooks search a graph.
TEST(Program, ARaceOfEqualValuesThatNoOrderShowsIsARemark) {
  const Written program(
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
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "in level: line 3 writes d[")) << done.err;
  EXPECT_TRUE(contains(done.err, "All that write there write the same value")) << done.err;
}

TEST(Program, AnAccessThatLeavesItsRowAndStaysInItsMemoryIsARemark) {
  const Written program(
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
      "}\n");
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(contains(done.err, "outside-row: in right: ")) << done.err;
}

TEST(Program, HeadersMacrosStandardAndSeveralFilesAreTaken) {
  const PrivateFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(folder.path() / name, text).ok());
    return (folder.path() / name).string();
  };
  std::filesystem::create_directory(folder.path() / "more");
  write("more/size.h", "constexpr int kSize = 7;\n");
  const std::string main = write("main.cu",
                                 "#include <cstdio>\n#include \"beside.h\"\n#include <size.h>\n"
                                 "int main() { std::printf(\"%d %d %d\\n\", kSize, FACTOR, "
                                 "other(__cplusplus > 201703L)); }\n");
  write("beside.h", "int other(int);\n");
  const std::string other = write("other.cpp", "int other(int a) { return a + 40; }\n");
  const Finished done = tilestep({"run", main, other, "-I", (folder.path() / "more").string(), "-D",
                                  "FACTOR=3", "-std=c++20"});
  EXPECT_EQ(done.out, "7 3 41\n") << done.err;
}

TEST(Program, AProgramThatRunsTooLongIsEnded) {
  const Written program(withMain("  for (;;) getchar();"));
  const Finished done = program.run({"--check", "--timeout", "1"});
  EXPECT_TRUE(contains(done.err, "ended at its limit of time")) << done.err;
  EXPECT_FALSE(contains(done.err, "No fault was found")) << done.err;
}

TEST(Program, AKernelMayWaitForWhatTheHostWritesMeanwhile) {
  const Written program(
      "#include <cstdio>\n"
      "__global__ void wait(volatile int* flag, int* seen) {\n"
      "  while (*flag == 0) {}\n"
      "  *seen = *flag;\n"
      "}\n"
      "int main() {\n"
      "  int *flag, *seen, *more;\n"
      "  cudaHostAlloc(&flag, 4, cudaHostAllocMapped);\n"
      "  cudaHostAlloc(&seen, 4, cudaHostAllocMapped);\n"
      "  *flag = *seen = 0;\n"
      "  wait<<<1, 1>>>(flag, seen);\n"
      "  cudaMalloc(&more, 4);\n"
      "  *(volatile int*)flag = 8;\n"
      "  cudaDeviceSynchronize();\n"
      "  printf(\"%d\\n\", *seen);\n"
      "}\n");
  EXPECT_EQ(program.run().out, "8\n");
}

TEST(Program, TheDeviceIsTheOneThatIsAskedFor) {
  const Written program(
      "#include <cstdio>\n"
      "int main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
      "  printf(\"%s %d.%d %d\\n\", p.name, p.major, p.minor, p.multiProcessorCount); }\n");
  EXPECT_EQ(program.run().out, "NVIDIA H200 9.0 132\n");
  EXPECT_EQ(program.run({"--as", "tesla-t4"}).out, "Tesla T4 7.5 40\n");
  const Finished unknown = program.run({"--as", "abacus"});
  EXPECT_EQ(unknown.status, 2);
}

TEST(Program, CublasIsComputedByABlasOfTheMachineOrThePackageIsNamed) {
  const Finished done = Written(
                            "#include <cublas_v2.h>\n"
                            "#include <cstdio>\n"
                            "int main() {\n"
                            "  const float A[] = {1, 2, 3, 4, 5, 6}, B[] = {1, 0, 2, 1, 1, 1};\n"
                            "  float *a, *b, *c, C[4], sum, two = 2, none = 0;\n"
                            "  cublasHandle_t handle;\n"
                            "  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;\n"
                            "  cudaMalloc(&a, sizeof A), cudaMalloc(&b, sizeof B);\n"
                            "  cudaMalloc(&c, sizeof C);\n"
                            "  cublasSetMatrix(2, 3, 4, A, 2, a, 2);\n"
                            "  cublasSetVector(6, 4, B, 1, b, 1);\n"
                            "  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &two, a, 2,\n"
                            "              b, 3, &none, c, 2);\n"
                            "  cublasSdot(handle, 6, a, 1, b, 1, &sum);\n"
                            "  cublasGetMatrix(2, 2, 4, c, 2, C, 2);\n"
                            "  std::printf(\"%g %g %g %g, %g\\n\", C[0], C[1], C[2], C[3], sum);\n"
                            "  cudaFree(a), cudaFree(b), cudaFree(c), cublasDestroy(handle);\n"
                            "}\n")
                            .run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  if (contains(done.err, "apt-get install libblas3")) return;
  EXPECT_EQ(done.out, "22 28 18 24, 22\n");
  EXPECT_TRUE(contains(done.err, "cuBLAS is another library's here")) << done.err;
}

TEST(Program, RandomNumbersOfHostAndDeviceLieWhereCurandSaysAndAreTheSameForOneSeed) {
  const Finished done = Written(
                            "#include <curand_kernel.h>\n"
                            "#include <cstdio>\n"
                            "__global__ void draw(float* to) {\n"
                            "  curandState state;\n"
                            "  curand_init(7, threadIdx.x, 0, &state);\n"
                            "  to[threadIdx.x] = curand_uniform(&state);\n"
                            "}\n"
                            "int main() {\n"
                            "  float *d, all[4][64];\n"
                            "  cudaMalloc(&d, sizeof all);\n"
                            "  draw<<<1, 64>>>(d);\n"
                            "  draw<<<1, 64>>>(d + 64);\n"
                            "  curandGenerator_t generator;\n"
                            "  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);\n"
                            "  for (int i = 2; i < 4; ++i) {\n"
                            "    curandSetPseudoRandomGeneratorSeed(generator, 5);\n"
                            "    curandGenerateUniform(generator, d + 64 * i, 64);\n"
                            "  }\n"
                            "  cudaMemcpy(all, d, sizeof all, cudaMemcpyDeviceToHost);\n"
                            "  int right = 0;\n"
                            "  for (int i = 0; i < 4; ++i)\n"
                            "    for (float x : all[i]) right += x > 0 && x <= 1;\n"
                            "  for (int i = 0; i < 64; ++i)\n"
                            "    right += all[0][i] == all[1][i] && all[2][i] == all[3][i];\n"
                            "  std::printf(\"%d, %d\\n\", right, all[0][0] == all[0][1]);\n"
                            "  cudaFree(d), curandDestroyGenerator(generator);\n"
                            "}\n")
                            .run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "320, 0\n");
  EXPECT_TRUE(contains(done.err, "cuRAND is another library's here")) << done.err;
}

TEST(Program, OneThatIsEndedAtItsLimitSaysHowLongItTakesAtTheLeast) {
  const Finished done = Written(
                            "__global__ void long_(int* to) {\n"
                            "  int x = 0;\n"
                            "  for (int i = 0; i < 1000; ++i) x = x * 3 + *(volatile int*)to;\n"
                            "  to[blockIdx.x + 1] = x;\n"
                            "}\n"
                            "int main() {\n"
                            "  int* d;\n"
                            "  cudaMalloc(&d, 1 << 28), cudaMemset(d, 1, 4);\n"
                            "  long_<<<(1 << 26) - 1, 32>>>(d);\n"
                            "  return cudaDeviceSynchronize();\n"
                            "}\n")
                            .run({"--timeout", "4"});
  EXPECT_TRUE(contains(done.err,
                       "The program was ended at its limit of time (4.00 s). The launch of long_ "
                       "(hw.cu:9) had run for "))
      << done.err;
  EXPECT_TRUE(contains(done.err, "so the program takes at least ")) << done.err;
}

/// What it writes is front matter with which the file runs as a kernel.
TEST(Program, FrontMatterIsDraftedFromALaunch) {
  const Written program(
      withMain("  cudaMalloc(&d_x, n * sizeof(float));\n"
               "  ones<<<4, 32>>>(d_x, n);\n"
               "  cudaMemcpy(h, d_x, sizeof h, cudaMemcpyDeviceToHost);"));
  const Finished draft = tilestep({"draft", program.path()});
  ASSERT_EQ(draft.status, 0) << draft.err;
  for (const char* line :
       {"entry = \"ones\"\n", "sizes = { n = 100 }\n", "block = [32, 1, 1]\n",
        "grid = [\"ceildiv(n, 32)\", 1, 1]\n", "extent = \"n\"\n", "direction = \"out\"\n"})
    EXPECT_TRUE(contains(draft.out, line)) << draft.out;
  std::string beside = program.path();
  beside.replace(beside.rfind(".cu"), 3, ".toml");
  ASSERT_TRUE(writeFileAtomically(beside, draft.out).ok());
  const Finished run = tilestep({"run", program.path(), "--device", "simt", "--size", "70"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "3 x 1 blocks")) << run.out;
  const Finished none = tilestep({"draft", program.path(), "--launch", "2"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(contains(none.err, "the program has 1 launch")) << none.err;
}

}  // namespace program_test
}  // namespace tilestep::system_test
