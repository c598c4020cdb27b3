// SPDX-License-Identifier: Apache-2.0
// Kernels that users copied, renamed or wrote, in files of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "system/run_support.h"

namespace tilestep::system_test::copied_kernels_test {

using nlohmann::json;

class CopiedKernels : public testing::Test {
 protected:
  support::TemporaryFolder folder{"copied"};

  static std::string shipped(const std::string& name) {
    std::ifstream file(support::sourceRoot() + "/kernels/" + name + ".cu");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The line that contains `part`.
  static int lineOf(const std::string& text, const std::string& part) {
    const auto end = text.begin() + static_cast<long>(text.find(part));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
  }
  /// Two kernels with the same parameters: the sum of two matrices, and their difference.
  static std::string two() {
    std::string text = shipped("matrix_sum");
    const size_t body = text.find("__global__");
    return text + "\n" +
           support::replaced(support::replaced(text.substr(body), "matrix_sum", "less"), " + N[",
                             " - N[");
  }
};

TEST_F(CopiedKernels, ACopyUnderAnotherNameRunsAndReportsAssumptions) {
  const std::string text = shipped("matmul_tiled");
  const int line = lineOf(text, "matmul_tiled(");
  const std::string file = folder.write("my.cu", text);
  const json run = runJson({file, "--size", "20", "--check"});
  EXPECT_EQ(run["kernel"], "my");
  EXPECT_EQ(run["check"]["ok"], true);
  const json assumed = {{{"what", "entry"}, {"value", "matmul_tiled"}, {"line", line}}};
  EXPECT_EQ(run["assumed"], assumed);
  const json original = runJson({"matmul_tiled", "--size", "20", "--check"});
  EXPECT_EQ(run["output_hash"], original["output_hash"]);
  EXPECT_EQ(original["assumed"], json::array());
  const support::Finished words =
      support::expectStatus(0, {"run", file, "--size", "20", "--device", "simt"});
  EXPECT_EQ(words.err, file + ":" + std::to_string(line) + ": assumed entry: matmul_tiled\n");
}

TEST_F(CopiedKernels, ARenamedFunctionRunsDespiteItsFrontMatter) {
  std::string text = support::replaced(shipped("matmul_tiled"), "matmul_tiled(", "mine(");
  EXPECT_EQ(runJson({folder.write("a.cu", text), "--size", "8", "--check"})["check"]["ok"], true);
  text = support::replaced(text, "/*---\n", "/*---\nentry = \"matmul_tiled\"\n");
  const json run = runJson({folder.write("b.cu", text), "--size", "8", "--check"});
  EXPECT_EQ(run["check"]["ok"], true);
  EXPECT_EQ(run["assumed"][0]["value"], "mine");
}

TEST_F(CopiedKernels, AByteOrderMarkIsSkipped) {
  const std::string mark = "\xef\xbb\xbf", text = shipped("matmul_tiled");
  EXPECT_EQ(runJson({folder.write("bom.cu", mark + text), "--size", "8", "--check"})["check"]["ok"],
            true);
  const size_t begin = text.find("/*---") + 5, end = text.find("---*/");
  folder.write("beside.toml", mark + text.substr(begin, end - begin));
  const std::string file = folder.write("beside.cu", mark + text.substr(end + 5));
  EXPECT_EQ(runJson({file, "--size", "8", "--check"})["check"]["ok"], true);
}

TEST_F(CopiedKernels, ASweepOfOneFunctionIsNotResumedWithAnother) {
  const std::string file = folder.write("two.cu", two()), csv = folder.path("two.csv");
  const auto sweep = [&](const char* entry, const char* sizes, const char* how) {
    return support::tilestep(
        {"sweep", file, "--entry", entry, "--size", sizes, "--device", "simt", "--csv", csv, how});
  };
  ASSERT_EQ(sweep("less", "8", "--force").status, 0);
  EXPECT_EQ(sweep("less", "8,16", "--resume").status, 0);
  const support::Finished other = sweep("matrix_sum", "8,16,32", "--resume");
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.err, "has kernel = two:less, and this sweep has two:matrix_sum"));
  EXPECT_EQ(runJson({file, "--size", "8", "--entry", "less"})["launch"]["entry"], "less");
}

TEST_F(CopiedKernels, WithoutEntryTheErrorListsBothFunctionsWithTheirLines) {
  const std::string text = two();
  const std::string file = folder.write("two.cu", text);
  const std::string first = "matrix_sum (line " + std::to_string(lineOf(text, "matrix_sum(")) + ")",
                    second = "less (line " + std::to_string(lineOf(text, "less(")) + ")";
  for (const char* command : {"run", "sweep", "ptx"}) {
    const support::Finished refused = support::expectStatus(2, {command, file, "--device", "simt"});
    for (const std::string& part : {file + ":", first, second, std::string("--entry NAME")})
      EXPECT_TRUE(has(refused.err, part)) << command << ": " << refused.err;
  }
  const std::string bare =
      folder.write("bare.cu", "__global__ void a(int* p) {}\n__global__ void b() {}\n");
  const support::Finished refused = support::expectStatus(2, {"run", bare, "--device", "simt"});
  EXPECT_TRUE(has(refused.err, "a (line 1) and b (line 2)"));
}

TEST_F(CopiedKernels, TemplatesAttributesAndNamespacesRun) {
  const std::string text = shipped("matrix_sum");
  const std::string head = "__global__ void matrix_sum(";
  const auto with = [&](const std::string& before, const std::string& behind) {
    return support::replaced(text, head, before) + behind;
  };
  const std::pair<const char*, std::string> files[] = {
      {"c.cu", with("extern \"C\" __global__ void c(", "")},
      {"bounds.cu", with("__global__ __launch_bounds__(1024) void other(", "")},
      {"space.cu", with("namespace mine {\n__global__ void other(", "}\n")},
      {"defaults.cu", with("template <int kUnused = 1>\n__global__ void other(", "")},
      {"both.cu",
       with("namespace mine {\ntemplate <int kUnused = 1>\n__global__ void other(", "}\n")}};
  for (const auto& [name, source] : files) {
    const json run = runJson({folder.write(name, source), "--size", "8", "--check"});
    EXPECT_EQ(run["check"]["ok"], true) << name;
  }
  const std::string needs =
      folder.write("needs.cu", with("template <int kUnused>\n__global__ void other(", ""));
  const json run = runJson({needs, "--size", "8", "--check", "--entry", "other<3>"});
  EXPECT_EQ(run["check"]["ok"], true);
  EXPECT_TRUE(has(support::tilestep({"run", needs}).err, "other is a template"));
}

}  // namespace tilestep::system_test::copied_kernels_test
