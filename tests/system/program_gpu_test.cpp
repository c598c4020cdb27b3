// SPDX-License-Identifier: Apache-2.0
// Whole programs on a GPU, through a driver whose GPU is the interpreter in another process
// (pretended_driver). The addresses, errors and times are this driver's.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/tool.h"

namespace tilestep::system_test::program_gpu_test {

using Json = nlohmann::json;
using support::Finished;
using support::Words;

Finished onGpu(const Words& words) {
  return support::tilestep(words, {std::string("LD_LIBRARY_PATH=") + PRETENDED_DRIVER,
                                   std::string("PRETENDED_GPU=") + PRETENDED_GPU});
}

/// A program whose `main` has this body, with a kernel that sets n floats to 1.
Finished runWithMain(const std::string& body, const Words& options) {
  const PrivateFolder folder;
  const std::string path = (folder.path() / "hw.cu").string();
  EXPECT_TRUE(writeFileAtomically(path,
                                  "#include <cstdio>\n"                                 // 1
                                  "__global__ void ones(float* to, int n) {\n"          // 2
                                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"  // 3
                                  "  if (i < n) to[i] = 1;\n"                           // 4
                                  "}\n"                                                 // 5
                                  "int main() {\n"                                      // 6
                                  "  const int n = 100;\n"                              // 7
                                  "  float h[100] = {};\n"                              // 8
                                  "  float* d_x;\n" +                                   // 9
                                      body +
                                      "\n  return 0;\n}\n")
                  .ok());
  Words words{"run", path};
  words.insert(words.end(), options.begin(), options.end());
  return onGpu(words);
}

constexpr char kRight[] =
    "  cudaMalloc(&d_x, n * 4);\n"
    "  ones<<<1, 128>>>(d_x, n);\n"
    "  cudaMemcpy(h, d_x, n * 4, cudaMemcpyDeviceToHost);\n"
    "  printf(\"%g\\n\", h[99]);\n"
    "  cudaFree(d_x);";

TEST(ProgramOnGpu, EveryFamilyOfTheRuntimeIsForwardedToTheDriver) {
  const Finished done = onGpu(
      {"run", support::sourceRoot() + "/tests/programs/every_family.cu", "--device", "cuda:0"});
  EXPECT_EQ(done.out, "done\n") << done.err;
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(has(done.err, "on cuda:0, Pretended GPU."));
}

TEST(ProgramOnGpu, TheReportNamesUncheckedParts) {
  const Finished done = runWithMain(kRight, {"--device", "cuda:0"});
  EXPECT_EQ(done.out, "1\n") << done.err;
  EXPECT_EQ(done.status, 0);
  for (const char* line : {"No fault was found in 1 launch on these inputs (checked: host calls). ",
                           "The work of the launch was not examined: only --check"})
    EXPECT_TRUE(has(done.err, line));
}

TEST(ProgramOnGpu, TheInterpreterChecksLaunchesAtTheSameAddresses) {
  const Finished right = onGpu({"run", support::sourceRoot() + "/tests/programs/every_family.cu",
                                "--device", "cuda:0", "--check"});
  EXPECT_EQ(right.out, "done\n") << right.err;
  EXPECT_TRUE(has(right.err,
                  "No fault was found in 9 launches on these inputs (checked: bounds, races, "
                  "barriers, uninitialised values, host calls). "));
  EXPECT_FALSE(has(right.err, "was not examined"));
  const Finished wrong = runWithMain(
      "  cudaMalloc(&d_x, n * 2);\n"
      "  ones<<<1, 128>>>(d_x, n);\n"
      "  cudaFree(d_x);",
      {"--device", "cuda:0", "--check"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(has(wrong.err,
                  "in ones: out-of-bounds: A write of 4 bytes ends 4 bytes past the end of "
                  "d_x, which has 200 bytes (thread (50, 0, 0) of block (0, 0, 0), line 4)"));
}

TEST(ProgramOnGpu, TheInterpreterContinuesWithTheGpusResults) {
  // The second launch reads the first launch's results, and the host's own memory.
  const Finished done = runWithMain(
      "  float* p;\n"
      "  cudaMalloc(&d_x, n * 4);\n"
      "  cudaMallocHost(&p, n * 4);\n"
      "  for (int i = 0; i < n; ++i) p[i] = 5;\n"
      "  ones<<<1, 128>>>(d_x, n);\n"
      "  ones<<<1, 64>>>(p, n);\n"
      "  cudaMemcpy(h, d_x, n * 4, cudaMemcpyDeviceToHost);\n"
      "  printf(\"%g %g %g\\n\", h[99], p[63], p[64]);\n"
      "  cudaFree(d_x);\n"
      "  cudaFreeHost(p);",
      {"--device", "cuda:0", "--json", "--counters", "--check"});
  const Json json = Json::parse(done.out);
  EXPECT_EQ(json.at("program").at("output"), "1 1 5\n");
  const Json& launches = json.at("launches");
  EXPECT_EQ(launches.at(0).at("counters").at("total").at("global_store_threads"), 100);
  EXPECT_EQ(launches.at(1).at("counters").at("total").at("global_store_threads"), 64);
  EXPECT_GE(launches.at(1).at("ms"), 0);
  for (const Json& each : json.at("findings")) EXPECT_EQ(each.at("severity"), "remark") << each;
}

TEST(ProgramOnGpu, JsonHasTheGpusTimes) {
  const Finished done = runWithMain(kRight, {"--device", "cuda:0", "--json"});
  const Json json = Json::parse(done.out);
  EXPECT_EQ(json.at("device").at("id"), "cuda:0");
  EXPECT_EQ(json.at("calls").at(0).at("name"), "cudaMalloc");
  EXPECT_FALSE(json.at("calls").at(0).contains("ms"));
  EXPECT_EQ(json.at("calls").at(1).at("direction"), "device to host");
  EXPECT_GE(json.at("calls").at(1).at("ms"), 0);
  const Json& launch = json.at("launches").at(0);
  EXPECT_EQ(launch.at("line"), 11);
  EXPECT_GE(launch.at("ms"), 0);
  EXPECT_TRUE(launch.at("hazards").is_null());
  EXPECT_TRUE(launch.at("not_looked_at").is_string());
}

TEST(ProgramOnGpu, TheCallThatReportsAFailedLaunchNamesIt) {
  const Finished done = runWithMain(
      "  cudaMalloc(&d_x, n * 2);\n"
      "  ones<<<1, 128>>>(d_x, n);\n"
      "  printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));",
      {"--device", "cuda:0"});
  EXPECT_EQ(done.out, "cudaErrorIllegalAddress\n");
  EXPECT_TRUE(has(done.err,
                  "hw.cu:11: launch-failed: The launch of ones failed on the GPU: "
                  "\"an illegal memory access was encountered\""));
}

TEST(ProgramOnGpu, HostMistakesAreFoundAtTheDriversAddresses) {
  const Finished copy = runWithMain(
      "  cudaMalloc(&d_x, n * 2);\n"
      "  cudaMemcpy(d_x, h, n * 4, cudaMemcpyHostToDevice);\n"
      "  cudaFree(d_x);",
      {"--device", "cuda:0", "--check"});
  EXPECT_TRUE(has(copy.err,
                  "hw.cu:11: copy-out-of-bounds: The copy of 400 bytes goes past "
                  "the end of d_x: it has 200 bytes"));
  const Finished touch = runWithMain(
      "  cudaMalloc(&d_x, n * 4);\n"
      "  d_x[3] = 5;",
      {"--device", "cuda:0", "--check"});
  EXPECT_TRUE(has(touch.err, "hw.cu:11: host-touches-device-memory: The host writes to d_x"));
}

TEST(ProgramOnGpu, AutoIsTheGpuUnlessTheRequestNeedsTheInterpreter) {
  const auto engineOf = [](const Words& options) {
    Words words{"run", support::sourceRoot() + "/tests/programs/vector_add.cu"};
    words.insert(words.end(), options.begin(), options.end());
    return onGpu(words).err;
  };
  EXPECT_TRUE(has(engineOf({}), "on cuda:0, Pretended GPU"));
  for (const Words& options : {Words{"--check"}, Words{"--counters"}, Words{"--as", "tesla-t4"},
                               Words{"--device", "simt"}})
    EXPECT_TRUE(has(engineOf(options), "on the SIMT interpreter")) << options.front();
}

TEST(ProgramOnGpu, AMissingGpuAndAnotherMachineAreRefused) {
  const Finished gpu = runWithMain(kRight, {"--device", "cuda:1"});
  EXPECT_EQ(gpu.status, 2);
  EXPECT_TRUE(has(gpu.err, "There is no cuda:1"));
  const Finished worker = runWithMain(kRight, {"--worker", "ssh host tilestep worker"});
  EXPECT_EQ(worker.status, 2);
  EXPECT_TRUE(has(worker.err, "a program runs on this machine alone"));
}

}  // namespace tilestep::system_test::program_gpu_test
