// SPDX-License-Identifier: Apache-2.0
// One launch of a whole program, run as an experiment.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "base/private_folder.h"
#include "support/gpu_there.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/tool.h"

namespace tilestep::system_test::launch_test {

using Json = nlohmann::json;
using support::Finished;
using support::tilestep;
using support::Words;

std::string product() {
  return support::sourceRoot() + "/tests/programs/product.cu";
}

Finished launch(const std::string& file, const std::string& number, Words options = {}) {
  Words words{"run", file, "--launch", number, "--json"};
  words.insert(words.end(), options.begin(), options.end());
  return tilestep(words);
}

/// The inference about `what`; null if there is none.
Json assumed(const Json& result, const std::string& what) {
  for (const Json& each : result["assumed"])
    if (each["what"] == what) return each;
  return nullptr;
}

/// A program in its own folder, with one kernel and a body of main().
class Written {
 public:
  explicit Written(const std::string& text) { EXPECT_TRUE(writeFileAtomically(path(), text).ok()); }
  [[nodiscard]] std::string path() const { return (folder_.path() / "hw.cu").string(); }

 private:
  PrivateFolder folder_;
};

TEST(Launch, RunsOnTheMemoryThatTheProgramGaveIt) {
  const Finished done = launch(product(), "2", {"--counters", "--check"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Json result = Json::parse(done.out);
  EXPECT_EQ(result["kernel"], "product");
  EXPECT_EQ(result["launch"]["grid"], Json({7, 6, 1}));
  EXPECT_EQ(result["launch"]["block"], Json({4, 4, 1}));
  EXPECT_EQ(result["sizes"], Json({{"m", 24}, {"n", 28}, {"k", 20}}));
  // 42 blocks of 16 threads, 5 phases of 2 loads and 4 products each.
  EXPECT_EQ(result["counters"]["total"]["global_load_threads"], 42 * 16 * 5 * 2);
  EXPECT_EQ(result["counters"]["total"]["ffma"], 42 * 16 * 5 * 4);
  EXPECT_EQ(result["hazards"], Json::array());
  EXPECT_EQ(result["faults"], Json::array());
}

TEST(Launch, OperandsHaveTheNamesShapesAndRolesThatTheProgramShows) {
  const Finished done = launch(product(), "2");
  ASSERT_EQ(done.status, 0) << done.err;
  const Json result = Json::parse(done.out);
  EXPECT_EQ(
      assumed(result, "operand A"),
      Json({{"what", "operand A"},
            {"value", "24 x 20 (m x k, from the strides of its addresses) f32, read; all of d_A"},
            {"line", 36}}));
  EXPECT_EQ(assumed(result, "operand B")["value"],
            "20 x 28 (k x n, from the strides of its addresses) f32, read; all of d_B");
  EXPECT_EQ(assumed(result, "operand C")["value"],
            "24 x 28 (m x n, from the strides of its addresses) f32, written; all of d_C");
}

TEST(Launch, ATraceNamesOperandsAndSharedArrays) {
  const Finished done = launch(product(), "2", {"--trace", "1,0"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Json result = Json::parse(done.out), &trace = result["trace"];
  EXPECT_EQ(trace["block"], Json({1, 0, 0}));
  ASSERT_EQ(trace["shared_arrays"].size(), 2u);
  EXPECT_EQ(trace["shared_arrays"][0]["name"], "As");
  EXPECT_EQ(trace["shared_arrays"][0]["columns"], 4);
  // The first lane's first load of A[0][0] reads what the launch before stored.
  const Json& columns = trace["columns"];
  EXPECT_EQ(columns["operation"][0], "load");
  EXPECT_EQ(columns["buffer"][0], 0);
  EXPECT_EQ(columns["offset"][0], 0);
  EXPECT_EQ(columns["offset"][1], 4);
  EXPECT_EQ(columns["value"][1], 0x3fe00000);  // 1.75
}

TEST(Launch, AGpuCountsAndTimesIt) {
  if (const auto why = support::whyNoGpu()) GTEST_SKIP() << support::because(support::kNoGpu, *why);
  const Words asked{"--counters", "--trace", "1,1", "--operation", "product"};
  Words onGpu = asked;
  onGpu.insert(onGpu.end(), {"--device", "cuda:0"});
  const Finished done = launch(product(), "2", onGpu);
  ASSERT_EQ(done.status, 0) << done.err;
  const Json gpus = Json::parse(done.out);
  const Json ours = Json::parse(launch(product(), "2", asked).out);
  for (const auto& [name, count] : gpus["counters"]["total"].items())
    EXPECT_EQ(count, ours["counters"]["total"][name]) << name;
  EXPECT_EQ(gpus["output_hash"], ours["output_hash"]);
  EXPECT_EQ(gpus["check"]["ok"], true);
  EXPECT_GT(gpus["measurement"]["median_ms"], 0);
}

TEST(Launch, AMissingLaunchIsRefused) {
  const Finished done = launch(product(), "3");
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.out, "");
  EXPECT_TRUE(has(done.err, "the program has 2 launches, so --launch must be 1 to 2"));
}

TEST(Launch, PointersIntoOneAllocationAreSeparateOperands) {
  const Written program(
      "struct Work { const float* from; int n; };\n"                // 1
      "__constant__ float scale[3];\n"                              // 2
      "__global__ void step(Work work, float* to) {\n"              // 3
      "  int i = threadIdx.x;\n"                                    // 4
      "  if (i < work.n) to[i] = work.from[i] * scale[i % 3];\n"    // 5
      "}\n"                                                         // 6
      "int main() {\n"                                              // 7
      "  float h[64] = {3, 5}, s[3] = {2, 2, 2};\n"                 // 8
      "  float* both;\n"                                            // 9
      "  cudaMalloc(&both, 128 * sizeof(float));\n"                 // 10
      "  cudaMemcpy(both, h, sizeof h, cudaMemcpyHostToDevice);\n"  // 11
      "  cudaMemcpyToSymbol(scale, s, sizeof s);\n"                 // 12
      "  step<<<1, 64>>>(Work{both, 64}, both + 64);\n"             // 13
      "  return cudaFree(both);\n"                                  // 14
      "}\n");
  const Finished done = launch(program.path(), "1", {"--trace", "0,0", "--check"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Json result = Json::parse(done.out);
  EXPECT_EQ(assumed(result, "operand work.from")["value"],
            "64 f32, read; 256 of the 512 bytes of both");
  EXPECT_EQ(assumed(result, "operand to")["value"],
            "64 f32, written; 256 of the 512 bytes of both");
  EXPECT_EQ(assumed(result, "operand scale")["value"], "3 f32, constant memory; all of scale");
  // Operands: work, to, work.from, scale.
  const Json& columns = result["trace"]["columns"];
  std::map<std::string, Json> buffers;
  for (size_t i = 0; i < columns["buffer"].size(); ++i)
    if (columns["space"][i] == "global")
      buffers[columns["operation"][i].get<std::string>()] = columns["buffer"][i];
  EXPECT_EQ(buffers["load"], 2);
  EXPECT_EQ(buffers["store"], 1);
}

TEST(Launch, FaultsOfACapturedLaunchAreFoundAgain) {
  const Written program(
      "__global__ void shift(int* to, int n) {\n"
      "  to[threadIdx.x + 1] = n;\n"
      "}\n"
      "int main() {\n"
      "  int* d;\n"
      "  cudaMalloc(&d, 64 * sizeof(int));\n"
      "  shift<<<1, 64>>>(d, 7);\n"
      "}\n");
  const Finished done = launch(program.path(), "1");
  EXPECT_EQ(done.status, 1) << done.err;
  const Json result = Json::parse(done.out);
  ASSERT_EQ(result["faults"].size(), 1u);
  EXPECT_EQ(result["faults"][0]["kind"], "out-of-bounds");
  EXPECT_EQ(result["faults"][0]["line"], 2);
}

}  // namespace tilestep::system_test::launch_test
