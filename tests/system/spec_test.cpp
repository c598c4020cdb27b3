// SPDX-License-Identifier: Apache-2.0
// `tilestep run --spec`: a file is run and judged by the spec's interface, data and reference.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "system/run_support.h"

namespace tilestep::system_test::spec_test {

using nlohmann::json;
using support::Words;

constexpr const char* kSum =
    "__global__ void add(const float* M, const float* N, float* P, int m, int n) {\n"
    "  int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];\n"
    "}\n";

/// Fails unless the command exits with 2 and standard error contains all `parts`.
void refused(const Words& arguments, const Words& parts) {
  const support::Finished finished = support::expectStatus(2, arguments);
  EXPECT_EQ(finished.out, "");
  for (const std::string& part : parts)
    EXPECT_TRUE(has(finished.err, part)) << part << ": " << finished.err;
}

class SpecOption : public testing::Test {
 protected:
  support::TemporaryFolder folder{"spec"};
};

TEST_F(SpecOption, AKernelNameProvidesInterfaceDataAndReference) {
  const std::string file = folder.write("in.cu", kSum);
  const json run = runJson({file, "--spec", "matrix_sum", "--size", "20", "--check"});
  EXPECT_EQ(run["kernel"], "in");
  EXPECT_EQ(run["launch"]["entry"], "add");
  EXPECT_EQ(run["check"]["ok"], true);
  const json model = runJson({"matrix_sum", "--size", "20", "--check"});
  EXPECT_EQ(run["output_hash"], model["output_hash"]) << "the same data";
}

TEST_F(SpecOption, FrontMatterInTheFileIsIgnoredWithANotice) {
  const std::string file = folder.write("in.cu", std::string("/*---\nnothing\n---*/\n") + kSum);
  const json run = runJson({file, "--spec", "matrix_sum", "--size", "20"});
  EXPECT_EQ(run["assumed"].back()["what"], "front matter");
  EXPECT_EQ(run["assumed"].back()["line"], 1);
  const support::Finished words = support::expectStatus(
      0, {"run", file, "--spec", "matrix_sum", "--size", "20", "--device", "simt"});
  EXPECT_TRUE(has(words.err, file + ":1: assumed front matter: that of kernels/matrix_sum.cu; the "
                                    "one here is ignored\n"));
}

TEST_F(SpecOption, ATomlFileIsASpecAndWithoutReferenceJudgesNothing) {
  const std::string spec = folder.write("fill.toml",
                                        "sizes = { n = 100 }\n[launch]\nblock = [32]\n"
                                        "grid = [\"ceildiv(n, 32)\"]\n[[operand]]\nname = \"x\"\n"
                                        "extent = \"n\"\ntype = \"i32\"\ndirection = \"out\"\n"
                                        "expect = \"2 * i\"\n[[operand]]\nname = \"n\"\n"
                                        "kind = \"scalar\"\n");
  const std::string file = folder.write(
      "in.cu",
      "__global__ void f(int* x, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = 2 * i;\n}\n");
  EXPECT_EQ(runJson({file, "--spec", spec, "--check"})["check"]["ok"], true);
  std::ifstream written(spec);
  const std::string text{std::istreambuf_iterator<char>(written), {}};
  const std::string silent =
      folder.write("silent.toml", support::replaced(text, "expect = \"2 * i\"\n", ""));
  const support::Finished words =
      support::expectStatus(1, {"run", file, "--spec", silent, "--check", "--device", "simt"});
  EXPECT_TRUE(has(words.err, silent + ": there is nothing to compare the result with"));
}

TEST_F(SpecOption, ACheckWithNothingToCompareWithFails) {
  const std::string head =
      "/*---\nsizes = { n = 40 }\n[launch]\nblock = [64]\ngrid = [1]\n"
      "[[operand]]\nname = \"x\"\ntype = \"i32\"\nextent = \"n\"\n";
  const std::string tail =
      "[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n__global__ void f(int* x, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) x[i] = 2 * i;\n}\n";
  const std::string file = folder.write("f.cu", head + "direction = \"out\"\n" + tail);
  const json run = runJson({file, "--check"}, {}, 1);
  EXPECT_EQ(run["check"]["reference"], "");
  EXPECT_EQ(run["check"]["ok"], nullptr);
  EXPECT_EQ(run["check"]["unwritten"], 0);
  EXPECT_EQ(run["hazards"], json::array()) << "the run itself is still looked at";
  const std::string reason = run["check"]["reason"];
  EXPECT_TRUE(has(reason, "neither a reference nor an output with expect"));
  const support::Finished words =
      support::expectStatus(1, {"run", file, "--check", "--device", "simt"});
  EXPECT_EQ(words.err, "tilestep: " + file + ": " + reason + "\n");
  EXPECT_TRUE(has(words.out, "not judged"));
  EXPECT_EQ(support::tilestep({"run", file, "--device", "simt"}).status, 0) << "nobody asked";

  const std::string half = support::replaced(tail, "x[i] = 2 * i", "x[i / 2] = i / 2");
  const json unwritten =
      runJson({folder.write("half.cu", head + "direction = \"out\"\n" + half), "--check"}, {}, 1);
  EXPECT_EQ(unwritten["check"]["ok"], false) << "what was never written is wrong in any case";
  EXPECT_EQ(unwritten["check"]["unwritten"], 20);
  const json none = runJson({folder.write("none.cu", head + tail), "--check"}, {}, 1);
  EXPECT_TRUE(has(none["check"]["reason"].get<std::string>(), "no operand is an output"));
}

TEST_F(SpecOption, AWrongResultNamesItsFirstWrongElement) {
  const std::string file = folder.write("in.cu",
                                        "__global__ void f(const int* x, int* bins, int n) {\n"
                                        "  if (threadIdx.x < 8) bins[threadIdx.x] = 3;\n}\n");
  const Words run = {"run", file, "--spec", "bug_histogram", "--check", "--device", "simt"};
  const support::Finished words = support::expectStatus(1, run);
  EXPECT_TRUE(has(words.out, "bins[0] is 3, should be 1"));
  EXPECT_TRUE(has(words.out, "; 8 of 8 elements are wrong\n"));
  const json check = runJson({file, "--spec", "bug_histogram", "--check"}, {}, 1)["check"];
  EXPECT_EQ(check["wrong"], 8);
  EXPECT_EQ(check["first_wrong"]["operand"], "bins");
  EXPECT_EQ(check["first_wrong"]["got"], 3);
}

TEST_F(SpecOption, ALaunchThatWasStoppedIsNotJudged) {
  const std::string file =
      folder.write("in.cu",
                   "__global__ void f(const float* x, const float* y, float* z, int n) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  z[i] = x[i] + y[i];\n}\n");
  for (const char* order : {"0", "1", "2", "3"}) {
    const json run =
        runJson({file, "--spec", "bug_vector_sum", "--check", "--order", order}, {}, 1);
    EXPECT_EQ(run["check"]["ok"], nullptr);
    EXPECT_EQ(run["check"]["reason"],
              "the launch was stopped at line 3 (out-of-bounds); fix that first");
  }
  const support::Finished words = support::expectStatus(
      1, {"run", file, "--spec", "bug_vector_sum", "--check", "--device", "simt"});
  EXPECT_TRUE(has(words.out, "the launch was stopped at line 3 (out-of-bounds); fix that first"));
  EXPECT_FALSE(has(words.out, "never written"));
}

TEST_F(SpecOption, AnExerciseIsNotAKernelAndDoesNotRevealItsBug) {
  refused({"run", "bug_histogram"},
          {"bug_histogram is an exercise: tilestep run --spec bug_histogram my.cu"});
  const std::string file = folder.write("in.cu",
                                        "__global__ void f(const int* x, int* bins, int n) {\n"
                                        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                        "  if (i < n) bins[x[i] % 8] = bins[x[i] % 8] + 1;\n}\n");
  const support::Finished words =
      support::tilestep({"run", file, "--spec", "bug_histogram", "--check", "--device", "simt"});
  EXPECT_TRUE(has(words.out, "both at line 3, and nothing orders the two"));
  for (const char* advice : {"missing", "atomic", "barrier"}) EXPECT_FALSE(has(words.out, advice));
}

TEST_F(SpecOption, ErrorsNameTheFileAndTheLine) {
  const std::string file = folder.write("in.cu", kSum);
  refused({"run", file, "--spec", folder.write("bad.toml", "sizes = 3\n")}, {"bad.toml:1"});
  refused({"run", file, "--spec", "matrix_sun"}, {"matrix_sum"});
  const std::string two =
      folder.write("two.cu", std::string(kSum) + "__global__ void b(int* p) {}\n");
  refused({"run", two, "--spec", "matrix_sum"}, {"two.cu:1", "b (line 6)", "--entry NAME"});
  EXPECT_EQ(runJson({two, "--spec", "matrix_sum", "--entry", "add", "--size", "8",
                     "--check"})["check"]["ok"],
            true);
  const std::string few = folder.write("few.cu", "__global__ void f(float* P, int n) {}\n");
  refused({"run", few, "--spec", "matrix_sum", "--device", "simt"}, {"few.cu:1"});
}

}  // namespace tilestep::system_test::spec_test
