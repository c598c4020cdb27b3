// SPDX-License-Identifier: Apache-2.0
// Whole programs with host code, compiled and run as processes on the interpreter.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "system/written_program.h"

namespace tilestep::system_test::program_test {

using Json = nlohmann::json;
using support::Finished;
using support::tilestep;

std::string shipped(const std::string& name) {
  return support::sourceRoot() + "/tests/programs/" + name;
}

TEST(Program, ARightProgramRunsWithItsArgumentsWithoutFaults) {
  const Finished done =
      support::expectStatus(0, {"run", shipped("vector_add.cu"), "--check", "--", "300"});
  EXPECT_EQ(done.out, "block of 256\n0 wrong, 300 added\n");
  EXPECT_TRUE(has(done.err, "1 launch of add<float> on the SIMT interpreter"));
  EXPECT_TRUE(has(done.err,
                  "No fault was found in 1 launch on these inputs (checked: bounds, races, "
                  "barriers, uninitialised values, host calls)."));
}

TEST(Program, EveryFamilyOfTheRuntimeWorks) {
  const Finished done = tilestep({"run", shipped("every_family.cu"), "--check"});
  EXPECT_EQ(done.out, "done\n") << done.err;
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST(Program, WithoutCheckItsStatusIsTheCommands) {
  const WrittenProgram program(withMain("  return 3;"));
  EXPECT_EQ(program.run().status, 3);
  const Finished checked = program.run({"--check"});
  EXPECT_EQ(checked.status, 0);
  EXPECT_TRUE(checked.err.starts_with("The program reports failure (status 3).\n")) << checked.err;
}

TEST(Program, ClangsErrorsHaveTheAuthorsLine) {
  const WrittenProgram program(withMain("  undeclared(h);"));
  const Finished done = program.run();
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(has(done.err, "hw.cu:10:3: use of undeclared identifier 'undeclared'"));
}

TEST(Program, AllMissingFunctionsAreReported) {
  const WrittenProgram program("void help(int);\nint more();\n" + withMain("  help(more());"));
  const Finished done = program.run();
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(has(done.err, "uses functions that are missing here: help(int), more()"));
}

TEST(Program, JsonHasOutputCallsLaunchesAndFindings) {
  const WrittenProgram program(
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

TEST(Program, HostAndDeviceShareAManagedVariable) {
  const std::string printed = expectReport(
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
      "}\n",
      0, {});
  EXPECT_EQ(printed, "105 3 199\n");
}

TEST(Program, HostAndKernelsSeeTheSameFunctionPointers) {
  const std::string printed = expectReport(
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
      "}\n",
      0, {});
  EXPECT_EQ(printed, "2 8\n");
}

TEST(Program, AVariableKeepsAnAddressStoredByAKernel) {
  const std::string printed = expectReport(
      "#include <cstdio>\n"
      "typedef int (*Op)(int);\n"
      "__device__ int more(int x) { return x + 1; }\n"
      "__device__ int twice(int x) { return 2 * x; }\n"
      "__device__ Op op = more;\n"
      "__device__ int first = 7, second = 9;\n"
      "__device__ int* chosen = &first;\n"
      "__global__ void change() { op = twice; chosen = &second; }\n"
      "__global__ void use(int* to) { to[0] = op(10); to[1] = *chosen; }\n"
      "int main() {\n"
      "  int h[2], *d;\n"
      "  cudaMalloc(&d, sizeof h);\n"
      "  for (int i = 0; i < 2; ++i) {\n"
      "    use<<<1, 1>>>(d);\n"
      "    change<<<1, 1>>>();\n"
      "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
      "    std::printf(\"%d %d\\n\", h[0], h[1]);\n"
      "  }\n"
      "}\n",
      0, {});
  EXPECT_EQ(printed, "11 7\n20 9\n");
}

TEST(Program, HeadersMacrosStandardAndSeveralFilesAreAccepted) {
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

TEST(Program, AKernelMayWaitForAWriteOfTheHost) {
  const WrittenProgram program(
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

TEST(Program, TheProgramSeesTheRequestedDevice) {
  const WrittenProgram program(
      "#include <cstdio>\n"
      "int main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
      "  printf(\"%s %d.%d %d\\n\", p.name, p.major, p.minor, p.multiProcessorCount); }\n");
  EXPECT_EQ(program.run().out, "NVIDIA H200 9.0 132\n");
  EXPECT_EQ(program.run({"--as", "tesla-t4"}).out, "Tesla T4 7.5 40\n");
  const Finished unknown = program.run({"--as", "abacus"});
  EXPECT_EQ(unknown.status, 2);
}

TEST(Program, CublasUsesTheMachinesBlasOrNamesThePackage) {
  const Finished done = WrittenProgram(
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
  if (has(done.err, "apt-get install libblas3")) return;
  EXPECT_EQ(done.out, "22 28 18 24, 22\n");
  EXPECT_TRUE(has(done.err, "cuBLAS is replaced by a different library here"));
}

TEST(Program, RandomNumbersAreInRangeAndFollowTheSeed) {
  const Finished done = WrittenProgram(
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
  EXPECT_TRUE(has(done.err, "cuRAND is replaced by a different library here"));
}

TEST(Program, AProgramEndedAtItsLimitReportsALowerBoundOfItsTime) {
  const Finished done = WrittenProgram(
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
  EXPECT_TRUE(has(done.err,
                  "The program was ended at its time limit (4.00 s). The launch of long_ "
                  "(hw.cu:9) had run for "));
  EXPECT_TRUE(has(done.err, "so the program takes at least "));
}

/// The drafted front matter makes the file runnable as a kernel.
TEST(Program, FrontMatterIsDraftedFromALaunch) {
  const WrittenProgram program(
      withMain("  cudaMalloc(&d_x, n * sizeof(float));\n"
               "  ones<<<4, 32>>>(d_x, n);\n"
               "  cudaMemcpy(h, d_x, sizeof h, cudaMemcpyDeviceToHost);"));
  const Finished draft = support::expectStatus(0, {"draft", program.path()});
  for (const char* line :
       {"entry = \"ones\"\n", "sizes = { n = 100 }\n", "block = [32, 1, 1]\n",
        "grid = [\"ceildiv(n, 32)\", 1, 1]\n", "extent = \"n\"\n", "direction = \"out\"\n"})
    EXPECT_TRUE(has(draft.out, line));
  std::string beside = program.path();
  beside.replace(beside.rfind(".cu"), 3, ".toml");
  ASSERT_TRUE(writeFileAtomically(beside, draft.out).ok());
  const Finished run =
      support::expectStatus(0, {"run", program.path(), "--device", "simt", "--size", "70"});
  EXPECT_TRUE(has(run.out, "3 x 1 blocks"));
  const Finished none = support::expectStatus(2, {"draft", program.path(), "--launch", "2"});
  EXPECT_TRUE(has(none.err, "the program has 1 launch"));
}

}  // namespace tilestep::system_test::program_test
