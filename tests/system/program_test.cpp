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
    Words words{"run", path()};
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

TEST(Program, ARefusedLaunchIsToldWithItsReason) {
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

}  // namespace program_test
}  // namespace tilestep::system_test
