// SPDX-License-Identifier: Apache-2.0
#include "grade/starter.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "compile/compiler.h"
#include "compile/kernel.h"
#include "compile/text/parameters.h"
#include "grade/hidden_launches.h"
#include "grade/rules.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::grade::starter_test {

std::map<std::string, std::string> filesFor(const std::string& kernel) {
  const auto model = compile::findKernel(support::sourceRoot() + "/kernels", kernel);
  EXPECT_TRUE(model.ok());
  const auto spec = compile::specOf(*model);
  EXPECT_TRUE(spec.ok());
  const auto files = starterFor("mine", *model, *spec);
  EXPECT_TRUE(files.ok()) << (files ? "" : files.error().message);
  std::map<std::string, std::string> byPath;
  if (files)
    for (const StarterFile& file : *files) byPath[file.path] = file.text;
  return byPath;
}

TEST(AssignmentStarter, HasASpecForStudentsAndOneForTheTeacher) {
  for (const char* kernel : {"matmul_tiled", "transpose", "reduce_interleaved", "matrix_sum"}) {
    const auto files = filesFor(kernel);
    ASSERT_EQ(files.size(), 5U) << kernel;
    for (const char* path : {"student/public.toml", "teacher/mine.toml"}) {
      const auto spec = valueOrThrow(compile::parseSpec(path, files.at(path)));
      const auto rules = valueOrThrow(readRules(spec));
      EXPECT_TRUE(hiddenLaunches(spec.kernel, rules, 1).ok()) << kernel;
      const bool isPublic = std::string(path).starts_with("student");
      EXPECT_EQ(rules.untested.empty(), !isPublic);
      EXPECT_EQ(rules.solution.empty(), isPublic);
    }
  }
}

TEST(AssignmentStarter, ShowsParametersAndNothingOfTheSolution) {
  const auto files = filesFor("matmul_tiled");
  const std::string& text = files.at("student/mine.cu");
  EXPECT_TRUE(has(text,
                  "__global__ void mine(const float* M, const float* N, float* P, int m, int "
                  "n, int k) {"));
  EXPECT_TRUE(has(text, "TILE_WIDTH"));
  EXPECT_FALSE(has(text, "__shared__"));
  EXPECT_FALSE(has(text, "syncthreads"));
  EXPECT_TRUE(has(files.at("teacher/solution.cu"), "__syncthreads"));
  EXPECT_FALSE(has(files.at("teacher/solution.cu"), "/*---"));
  for (const char* path : {"student/mine.cu", "student/README.md"})
    EXPECT_TRUE(has(files.at(path), "matrix product")) << path;
  EXPECT_TRUE(
      has(files.at("student/mine.cu"), "M: m x k elements of type f32, row after row, read"));
  for (const char* told : {"Mds", "phase", "H200", "shared"})
    EXPECT_FALSE(has(files.at("student/public.toml"), told)) << told;
  EXPECT_TRUE(has(files.at("teacher/mine.toml"), "Mds"));
  for (const char* path : {"student/public.toml", "teacher/mine.toml"})
    EXPECT_TRUE(has(files.at(path), "entry = ")) << path;
}

/// A constant instead of a tunable, or a kernel without blockIdx, is right at a single block of the
/// usual size.
TEST(AssignmentStarter, ThePublicLaunchesHaveSeveralBlocksAndTwoValuesOfATunable) {
  for (const char* kernel : {"matmul_tiled", "transpose", "reduce_interleaved", "matrix_sum"}) {
    const auto spec =
        compile::parseSpec("public.toml", filesFor(kernel).at("student/public.toml")).value();
    const auto launches = hiddenLaunches(spec.kernel, readRules(spec).value(), 1).value();
    bool several = false;
    std::set<compile::Bindings> tunables;
    for (const HiddenLaunch& launch : launches) {
      const auto plan = compile::plan(spec.kernel, launch.sizes, launch.tunables, Limits{});
      ASSERT_TRUE(plan) << kernel;
      several |= plan->launches.front().grid.count() > 2;
      tunables.insert(launch.tunables);
    }
    EXPECT_TRUE(several) << kernel;
    EXPECT_EQ(tunables.size(), spec.kernel.tunables.empty() ? 1U : 2U) << kernel;
  }
}

TEST(AssignmentStarter, BothSpecsHaveTheSameFunctionAndMarks) {
  auto model = compile::findKernel(support::sourceRoot() + "/kernels", "matrix_sum").value();
  auto spec = compile::specOf(model).value();
  spec.front.toml = "# Of the model.\nentry = \"another_name\"\n" + spec.front.toml;
  const std::vector<StarterFile> files = starterFor("mine", model, spec).value();
  for (const StarterFile& file : files) {
    if (!file.path.ends_with(".toml")) continue;
    const auto made = compile::parseSpec(file.path, file.text).value();
    EXPECT_EQ(made.kernel.entry, "mine") << file.path;
    EXPECT_FALSE(has(file.text, "another_name")) << file.path;
    EXPECT_EQ(readRules(made).value().marks, (std::array<double, 6>{1, 4, 1, 1, 1, 1}));
  }
}

/// A model may be the spec of an earlier assignment.
TEST(AssignmentStarter, TheModelsOwnRulesAreOnlyInTheTeachersSpec) {
  auto model = compile::findKernel(support::sourceRoot() + "/kernels", "matrix_sum").value();
  auto spec = compile::specOf(model).value();
  spec.front.toml +=
      "\n[grading]\nlaunches = [{ m = 137, n = 41 }]\ndrawn = 2\n"
      "untested = [\"A secret.\"]\n[grading.marks]\nresult = 7\n";
  const std::vector<StarterFile> files = starterFor("mine", model, spec).value();
  for (const StarterFile& file : files) {
    if (!file.path.ends_with(".toml")) continue;
    const bool isPublic = file.path.starts_with("student");
    EXPECT_EQ(file.text.find("137") == std::string::npos, isPublic) << file.text;
    EXPECT_EQ(file.text.find("secret") == std::string::npos, isPublic) << file.text;
    const Rules rules = readRules(compile::parseSpec(file.path, file.text).value()).value();
    EXPECT_EQ(rules.drawn, isPublic ? 0U : 2U);
    EXPECT_EQ(rules.solution, isPublic ? "" : "solution.cu");
  }
}

/// Without them, no student's file would have the spec's interface.
TEST(AssignmentStarter, KeepsTypesAndConstantsOfTheInterface) {
  const compile::KernelSource model{"blur.cu",
                                    R"cu(/*---
title = "Blur"
operations = "n"
sizes = { n = 100 }

[tunable.BLOCK]
default = 32
values = [32, 64]

[launch]
block = "BLOCK"
grid = "ceildiv(n, BLOCK)"

[[operand]]
name = "P"
extent = "n"
direction = "out"
expect = "1"

[[operand]]
name = "weights"
kind = "symbol"
extent = 3

[[operand]]
name = "n"
kind = "scalar"
---*/
#include <cuda_fp16.h>

#ifndef BLOCK
#define BLOCK 32
#endif
#define RADIUS 1
#define OTHER 2
namespace detail {
__device__ int unused() { return 1; }
}
typedef float real;
constexpr int kOther = 4;
constexpr int width(int radius) { return 2 * radius + 1; }
struct Size {
  int n;
};
__constant__ real weights[width(RADIUS) + 0 * BLOCK];
__device__ real one() { return 1; }
__global__ void blur(real* P, int n) {
  P[threadIdx.x] = one();
}
)cu",
                                    {},
                                    {}};
  const auto spec = valueOrThrow(compile::specOf(model));
  const auto files = valueOrThrow(starterFor("mine", model, spec));
  const std::string& text = files.front().text;
  EXPECT_TRUE(has(text,
                  "\n#include <cuda_fp16.h>\n#define RADIUS 1\ntypedef float real;\n"
                  "constexpr int width(int radius) { return 2 * radius + 1; }\n"
                  "__constant__ real weights[width(RADIUS) + 0 * BLOCK];\n\n"
                  "__global__ void mine(real* P, int n) {"));
  const auto kernel = valueOrThrow(compile::withSpec(
      {"mine.cu", text, {}, {}}, *compile::parseSpec("public.toml", files.at(1).text)));
  compile::CompileService service({support::sourceRoot(), "", ""});
  compile::CompileRequest request;
  request.source = kernel.source;
  request.tunables["BLOCK"] = 64;
  const auto made = valueOrThrow(service.compile(request));
  EXPECT_TRUE(compile::checkParameters(kernel.spec, *made->module).ok());
}

TEST(AssignmentStarter, RefusesATemplateAsModel) {
  const auto template_ =
      compile::findKernel(support::sourceRoot() + "/kernels", "reduce_templated");
  ASSERT_TRUE(template_.ok());
  EXPECT_TRUE(fails(starterFor("mine", *template_, *compile::specOf(*template_)), "template"));
}

}  // namespace tilestep::grade::starter_test
