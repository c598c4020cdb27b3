// SPDX-License-Identifier: Apache-2.0
// Compilers that are opened at their first use, and renaming of functions.
#include "compile/compilers/compiler_choice.h"

#include <gtest/gtest.h>

#include "compile/front_matter/symbols.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "support/results.h"

namespace tilestep::compile::compiler_choice_test {

class NoCompiler final : public Compiler {
 public:
  std::string name() const override { return "none"; }
  std::string version() const override { return "1"; }
  Result<std::string> compile(const CompileRequest&, std::string&) override {
    return workError("this compiler compiles nothing");
  }
};

TEST(OpenedOnce, RetriesOnlyAfterAShortage) {
  int asked = 0;
  OpenedOnce compiler;
  const OpenedOnce::Open lacks = [&]() -> Result<std::unique_ptr<Compiler>> {
    ++asked;
    return workError("Too many open files");
  };
  const OpenedOnce::Open works = [&]() -> Result<std::unique_ptr<Compiler>> {
    ++asked;
    return std::unique_ptr<Compiler>(std::make_unique<NoCompiler>());
  };
  EXPECT_FALSE(compiler.get(lacks).ok());
  EXPECT_FALSE(compiler.get(lacks).ok());
  ASSERT_TRUE(compiler.get(works).ok());
  EXPECT_EQ((*compiler.get(lacks))->name(), "none");
  EXPECT_EQ(asked, 3);
}

TEST(OpenedOnce, AMissingCompilerIsRemembered) {
  int asked = 0;
  OpenedOnce refused, missing;
  for (int times = 0; times < 2; ++times) {
    const auto no = refused.get([&]() -> Result<std::unique_ptr<Compiler>> {
      ++asked;
      return requestError("there is no compiler");
    });
    EXPECT_FALSE(no.ok());
    const auto none = missing.get([&] {
      ++asked;
      return Result<std::unique_ptr<Compiler>>(std::unique_ptr<Compiler>());
    });
    EXPECT_EQ(*none, nullptr);
  }
  EXPECT_EQ(asked, 2);
}

/// One name is a prefix of the other, and the name that one function loses is given to the other.
TEST(Symbols, FunctionsAreRenamedInVariables) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry a(.param .u64 p);\n.visible .entry ab(.param .u64 p);\n"
      ".global .align 8 .u64 both[3] = {a, ab, a};\n"
      ".visible .entry a(.param .u64 p) { ret; }\n.visible .entry ab(.param .u64 p) { ret; }\n";
  auto module = valueOrThrow(ptx::parse(text, "k.ptx"));
  renameFunctions(module, {{"a", "ab"}, {"ab", "c"}});
  const std::string printed = ptx::print(module);
  EXPECT_TRUE(has(printed, "{ab, c, ab}"));
  EXPECT_NE(module.find("c"), nullptr);
  EXPECT_EQ(module.find("a"), nullptr);
  EXPECT_EQ(module.variables.at(0).references.at(1).name, "c");
}

}  // namespace tilestep::compile::compiler_choice_test
