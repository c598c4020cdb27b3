// SPDX-License-Identifier: Apache-2.0
// Which function of a file is the kernel's entry.
#include "compile/entry_choice.h"

#include <gtest/gtest.h>

#include "compile/entries.h"
#include "compile/front_matter.h"
#include "compile/kernel_heads.h"
#include "sample_kernel.h"

namespace tilestep::compile {
namespace {

std::vector<KernelHead> headsOf(const std::string& text) {
  return kernelHeads(text, cudaTokens(text));
}

std::string namesOf(const std::string& text) {
  std::string names;
  for (const KernelHead& head : headsOf(text))
    names += head.qualified + ":" + std::to_string(head.line) + (head.isTemplate ? "t " : " ");
  return names;
}

TEST(KernelHeads, AttributesAndLinkageMayStandAnywhere) {
  EXPECT_EQ(namesOf("extern \"C\" __global__ void\nf(int n) {}"), "f:2 ");
  EXPECT_EQ(namesOf("extern \"C\" {\n__global__ void f(int n) {} }\n__global__ void g() {}"),
            "f:2 g:3 ");
  EXPECT_EQ(namesOf("__global__ __launch_bounds__(256, 2) void f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("__global__ void __launch_bounds__(N * (2)) f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("void __global__ f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("static __global__ void MY_BOUNDS(64) f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("__global__ void f(int n) __attribute__((noinline)) {}"), "f:1 ");
  EXPECT_EQ(namesOf("[[maybe_unused]] __global__ auto f(int n) -> void {}"), "f:1 ");
}

TEST(KernelHeads, DeclarationsDisabledTextAndCommentsAreNone) {
  EXPECT_EQ(namesOf("__global__ void f(int);\n__global__ void f(int n) {}"), "f:2 ");
  EXPECT_EQ(namesOf("// __global__ void a() {}\n/* __global__ void b() {} */"), "");
  EXPECT_EQ(namesOf("#if 0\n__global__ void a() {}\n#else\n__global__ void b() {}\n#endif\n"
                    "#ifdef X\n__global__ void c() {}\n#endif"),
            "b:4 c:7 ");
  EXPECT_EQ(namesOf("__device__ void f() { g(__global__"), "");
}

TEST(KernelHeads, TemplatesAndNamespaces) {
  EXPECT_EQ(namesOf("template <int N, class T = float>\n__global__ void f(T* p) {}"), "f:2t ");
  EXPECT_EQ(namesOf("template <class T>\n__launch_bounds__(64) static __global__ void f(T* p) {}"),
            "f:2t ");
  EXPECT_EQ(namesOf("template <int N> __global__ std::enable_if_t<(N > 1), void> f(int* p) {}\n"
                    "template __global__ void f<2>(int*);\n"
                    "template <> __global__ void f<3>(int* p) {}"),
            "f:1t ");
  EXPECT_EQ(namesOf("template <class T> struct S { T t; };\n__global__ void f(S<int> s) {}"),
            "f:2 ");
  EXPECT_EQ(namesOf("namespace a::b { namespace { __global__ void f() { if (1) {} } }\n}\n"
                    "namespace x = a::b;\nusing namespace a;\n__global__ void g() {}"),
            "a::b::f:1 g:5 ");
}

/// The sample with other names: of the file, in the front matter (empty: none) and of the function.
Result<KernelSpec> specOf(const std::string& file, const std::string& written,
                          const std::string& function, const std::string& asked = {}) {
  std::string text = sampleText();
  if (!written.empty())
    text = replaced(text, "title = \"Scale\"", "title = \"Scale\"\nentry = \"" + written + "\"");
  KernelSource source{file, replaced(text, "void scale(", "void " + function + "("), {}, asked};
  return parseKernel(source);
}

TEST(EntryChoice, TheOnlyFunctionIsTheEntryWhateverIsWritten) {
  for (const char* written : {"", "old", "ns::old", "old<WIDTH>"}) {
    const auto spec = specOf("my-copy 2.cu", written, "scale");
    ASSERT_TRUE(spec) << written << ": " << toString(spec.error());
    EXPECT_EQ(spec->entry, "scale");
    const int line = written[0] == '\0' ? 25 : 26;
    EXPECT_EQ(spec->entryLine, line);
    EXPECT_EQ(spec->assumed, (std::vector<Assumption>{{"entry", "scale", line}}));
  }
}

TEST(EntryChoice, WhatTheFileSaysIsNotAssumed) {
  for (const char* written : {"", "scale"}) {
    const auto spec = specOf("scale.cu", written, "scale");
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->entry, "scale");
    EXPECT_TRUE(spec->assumed.empty());
  }
}

std::string withSecond(const std::string& body = "__global__ void second(float* P, int n) {}\n") {
  return sampleText() + body;
}

TEST(EntryChoice, OfSeveralTheNameDecidesAndTheErrorListsThem) {
  const auto parsed = [](const std::string& path, const std::string& asked) {
    return parseKernel({path, withSecond(), {}, asked});
  };
  const auto none = parsed("my.cu", "");
  ASSERT_FALSE(none);
  EXPECT_EQ(toString(none.error()).substr(0, 9), "my.cu:25:") << toString(none.error());
  for (const char* part : {"scale (line 25) and second (line 29)", "--entry NAME", "entry = "})
    EXPECT_NE(none.error().message.find(part), std::string::npos) << none.error().message;
  const auto second = parsed("my.cu", "second");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->entry, "second");
  EXPECT_EQ(second->entryLine, 29);
  EXPECT_TRUE(second->assumed.empty());
  EXPECT_EQ(parsed("second.cu", "")->entry, "second") << "the file's name is one of them";
  const auto missing = parsed("my.cu", "third");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("no __global__ function third; it has scale (line 25)"),
            std::string::npos)
      << missing.error().message;
  EXPECT_FALSE(parsed("my.cu", "third("));
}

TEST(EntryChoice, AskingForTheFunctionThatIsLaunchedAnywayChangesNothing) {
  const KernelSource scale{"scale.cu", withSecond(), {}};
  EXPECT_EQ(withEntry(scale, "scale").entry, "");
  EXPECT_EQ(withEntry(scale, "second").entry, "second");
  EXPECT_EQ(withEntry(scale, "nobody").entry, "nobody") << "its error is said where it is parsed";
  const KernelSource other{"my.cu", withSecond(), {}};
  EXPECT_EQ(withEntry(other, "scale").entry, "scale") << "without it no function is clear";
}

TEST(EntryChoice, AWrittenNameThatNoneOfSeveralHasIsRefusedAtItsLine) {
  const std::string text = replaced(withSecond(), "title = ", "entry = \"old\"\ntitle = ");
  const auto spec = parseKernel({"my.cu", text, {}});
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().where->line, 2);
  EXPECT_EQ(spec.error().sourceLine, "entry = \"old\"");
  EXPECT_NE(spec.error().message.find("second (line 30)"), std::string::npos);
}

TEST(EntryChoice, WithoutFrontMatterTheFunctionsAreListedToo) {
  const std::string two = "__global__ void add(int* p) {}\n__global__ void scale(int* p) {}\n";
  const auto none = parseKernel({"my.cu", two, {}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("add (line 1) and scale (line 2)"), std::string::npos);
  const auto chosen = parseKernel({"my.cu", two, {}, "add"});
  ASSERT_FALSE(chosen);
  EXPECT_NE(chosen.error().message.find("tilestep draft my.cu --entry 'add'"), std::string::npos);
  const auto empty = parseKernel({"my.cu", "int main() {}\n", {}});
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().message.find("has no __global__ function"), std::string::npos);
}

std::string templated(const std::string& head, const std::string& entry) {
  std::string text = replaced(sampleText(), "__global__ void scale", head);
  return entry.empty() ? text : replaced(text, "title = ", "entry = \"" + entry + "\"\ntitle = ");
}

TEST(EntryChoice, ATemplateKeepsTheArgumentsThatAreWritten) {
  const std::string head = "template <int kN, int kM = 2>\n__global__ void fresh";
  EXPECT_EQ(parseKernel({"my.cu", templated(head, "old<WIDTH>"), {}})->entry, "fresh<WIDTH>");
  EXPECT_EQ(parseKernel({"my.cu", templated(head, "fresh<8>"), {}, "fresh"})->entry, "fresh<8>");
  EXPECT_EQ(parseKernel({"my.cu", templated(head, "fresh<8>"), {}, "fresh<4>"})->entry, "fresh<4>");
  const auto unknown = parseKernel({"my.cu", templated(head, ""), {}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("fresh is a template"), std::string::npos);
  EXPECT_EQ(unknown.error().where->line, 26);
  const auto launched =
      parseKernel({"my.cu", templated(head, "") + "void run() { fresh<16><<<1, 2>>>(p, 3); }", {}});
  ASSERT_TRUE(launched) << toString(launched.error());
  EXPECT_EQ(launched->entry, "fresh<16>");
  EXPECT_EQ(launched->assumed.back().what, "template arguments");
  const auto defaults =
      parseKernel({"my.cu", templated("template <int kN = 8>\n__global__ void fresh", ""), {}});
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->entry, "fresh<>");
}

TEST(EntryChoice, ATemplateInANamespaceIsNamedWithIt) {
  const std::string text =
      templated("namespace ns {\ntemplate <int kN>\n__global__ void fresh", "fresh<WIDTH>") + "}\n";
  const auto spec = parseKernel({"my.cu", text, {}});
  ASSERT_TRUE(spec) << toString(spec.error());
  EXPECT_EQ(spec->entry, "ns::fresh<WIDTH>");
}

TEST(EntryChoice, OneNameInTwoNamespacesIsRefused) {
  const auto spec = parseKernel(
      {"my.cu", withSecond("namespace a { __global__ void scale(int* p) {} }"), {}, "scale"});
  ASSERT_FALSE(spec);
  EXPECT_NE(spec.error().message.find("scale (line 25) and a::scale (line 29)"), std::string::npos)
      << spec.error().message;
}

TEST(EntryChoice, FunctionsThatMacrosMakeAreLeftToTheCompiler) {
  const std::string macro =
      "#define MAKE(NAME) __global__ void NAME(float* P, int n) {}\nMAKE(made)\n";
  const auto spec = parseKernel(
      {"my.cu", replaced(sampleText(), "title = ", "entry = \"made\"\ntitle = ") + macro, {}});
  ASSERT_TRUE(spec) << toString(spec.error());
  EXPECT_EQ(spec->entry, "made");
  EXPECT_EQ(parseKernel({"my.cu", sampleText() + macro, {}, "made"})->entry, "made");
}

TEST(EntryChoice, LaunchesThatNameTheirFunctionsLeaveNothingToChoose) {
  const std::string text = replaced(withSecond(), "[launch]\n", "[launch]\nentry = \"second\"\n");
  const auto spec = parseKernel({"my.cu", text, {}});
  ASSERT_TRUE(spec) << toString(spec.error());
  EXPECT_EQ(spec->launches[0].entry, "second");
  const auto asked = parseKernel({"my.cu", text, {}, "scale"});
  ASSERT_FALSE(asked);
  EXPECT_NE(asked.error().message.find("--entry has nothing to choose"), std::string::npos);
}

}  // namespace
}  // namespace tilestep::compile
