// SPDX-License-Identifier: Apache-2.0
#include "grade/starter.h"

#include <gtest/gtest.h>

#include <map>

#include "compile/kernel.h"
#include "grade/hidden_launches.h"
#include "grade/rules.h"
#include "support/source_root.h"

namespace tilestep::grade {
namespace starter_test {

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
      const auto spec = compile::parseSpec(path, files.at(path));
      ASSERT_TRUE(spec.ok()) << kernel << ": " << toString(spec.error());
      const auto rules = readRules(*spec);
      ASSERT_TRUE(rules.ok()) << kernel << ": " << toString(rules.error());
      EXPECT_TRUE(hiddenLaunches(spec->kernel, *rules, 1).ok()) << kernel;
      const bool isPublic = std::string(path).starts_with("student");
      EXPECT_EQ(rules->untested.empty(), !isPublic);
      EXPECT_EQ(rules->solution.empty(), isPublic);
    }
  }
}

TEST(AssignmentStarter, ShowsParametersAndNothingOfTheSolution) {
  const auto files = filesFor("matmul_tiled");
  const std::string& text = files.at("student/mine.cu");
  EXPECT_NE(text.find("__global__ void mine(const float* M, const float* N, float* P, int m, int "
                      "n, int k) {"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("TILE_WIDTH"), std::string::npos);
  EXPECT_EQ(text.find("__shared__"), std::string::npos);
  EXPECT_EQ(text.find("syncthreads"), std::string::npos);
  EXPECT_NE(files.at("teacher/solution.cu").find("__syncthreads"), std::string::npos);
  EXPECT_EQ(files.at("teacher/solution.cu").find("/*---"), std::string::npos);
}

TEST(AssignmentStarter, SaysWhatToComputeAndNotHowTheModelDoes) {
  const auto files = filesFor("matmul_tiled");
  for (const char* path : {"student/mine.cu", "student/README.md"})
    EXPECT_NE(files.at(path).find("matrix product"), std::string::npos) << path;
  EXPECT_NE(files.at("student/mine.cu").find("M: m x k elements of type f32, row after row, read"),
            std::string::npos);
  for (const char* told : {"Mds", "phase", "H200", "shared"})
    EXPECT_EQ(files.at("student/public.toml").find(told), std::string::npos) << told;
  EXPECT_NE(files.at("teacher/mine.toml").find("Mds"), std::string::npos);
  for (const char* path : {"student/public.toml", "teacher/mine.toml"})
    EXPECT_NE(files.at(path).find("entry = "), std::string::npos) << path;
}

TEST(AssignmentStarter, RefusesWhatCannotBeAModel) {
  const auto template_ =
      compile::findKernel(support::sourceRoot() + "/kernels", "reduce_templated");
  ASSERT_TRUE(template_.ok());
  const auto refused = starterFor("mine", *template_, *compile::specOf(*template_));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("template"), std::string::npos);
}

}  // namespace starter_test
}  // namespace tilestep::grade
