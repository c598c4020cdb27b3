// SPDX-License-Identifier: Apache-2.0
// The choice of the function that is a file's entry.
#include "compile/front_matter/entry_choice.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/front_matter.h"
#include "compile/text/kernel_heads.h"
#include "support/results.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::entry_choice_test {

std::vector<KernelHead> headsOf(const std::string& text) {
  return kernelHeads(text, cudaTokens(text)).kernels;
}

bool isComplete(const std::string& text) {
  return kernelHeads(text, cudaTokens(text)).complete;
}

std::string namesOf(const std::string& text) {
  std::string names;
  for (const KernelHead& head : headsOf(text))
    names += head.qualified + ":" + std::to_string(head.line) + (head.isTemplate ? "t " : " ");
  return names;
}

TEST(KernelHeads, AreFoundWithTheirLines) {
  EXPECT_EQ(namesOf("extern \"C\" __global__ void\nf(int n) {}"), "f:2 ");
  EXPECT_EQ(namesOf("extern \"C\" {\n__global__ void f(int n) {} }\n__global__ void g() {}"),
            "f:2 g:3 ");
  EXPECT_EQ(namesOf("__global__ __launch_bounds__(256, 2) void f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("__global__ void __launch_bounds__(N * (2)) f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("void __global__ f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("static __global__ void MY_BOUNDS(64) f(int n) {}"), "f:1 ");
  EXPECT_EQ(namesOf("__global__ void f(int n) __attribute__((noinline)) {}"), "f:1 ");
  EXPECT_EQ(namesOf("[[maybe_unused]] __global__ auto f(int n) -> void {}"), "f:1 ");
  EXPECT_EQ(namesOf("__global__ void f(int);\n__global__ void f(int n) {}"), "f:2 ");
  EXPECT_EQ(namesOf("// __global__ void a() {}\n/* __global__ void b() {} */"), "");
  EXPECT_EQ(namesOf("#if 0\n__global__ void a() {}\n#else\n__global__ void b() {}\n#endif\n"
                    "#ifdef X\n__global__ void c() {}\n#endif"),
            "b:4 c:7 ");
  EXPECT_EQ(namesOf("__device__ void f() { g(__global__"), "");
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
  EXPECT_EQ(namesOf("template <class T, class = decltype(T{})>\n__global__ void f(T* p) {}"),
            "f:2t ");
  EXPECT_EQ(namesOf("template <int N>\n#ifdef X\n__launch_bounds__(N)\n#endif\n"
                    "__global__ void f() {}\n__global__ void g() {}"),
            "f:5t g:6 ");
  EXPECT_EQ(namesOf("template <class T> void g() {}\n__global__ void f(int* p) {}"), "f:2 ");
  EXPECT_EQ(namesOf("template <class T> __global__ void f(T* p) {}\n"
                    "template <> __global__ void f(int* p) {}"),
            "f:1t ");
  EXPECT_EQ(namesOf("#ifdef FAST\n__global__ void f() {}\n#else\n__global__ void f() {}\n#endif\n"
                    "namespace a { __global__ void f() {} }"),
            "f:2 a::f:6 ");
}

TEST(KernelHeads, UnclosedBracketsMakeATextIncomplete) {
  const std::string body = "  for (;;) {\n#else\n  while (1) {\n#endif\n  }\n}\n";
  for (const char* condition : {"#ifdef X\n", "#if 0\n", "# if 0 /* old */\n", "#if N > 2\n"}) {
    const std::string text =
        "__global__ void f() {\n" + std::string(condition) + body + "__global__ void g() {}";
    EXPECT_EQ(namesOf(text), "f:1 g:9 ") << condition;
    EXPECT_TRUE(isComplete(text)) << condition;
  }
  for (const char* text :
       {"#ifdef __cplusplus\nextern \"C\" {\n#endif\n__global__ void f() {}\n"
        "#ifdef __cplusplus\n}\n#endif",
        "__global__ void f() {\n if (a) {\n#ifdef X\n } else {\n#elif Y\n } else if (b) {\n"
        "#endif\n }\n}"}) {
    EXPECT_TRUE(isComplete(text)) << text;
  }
  for (const char* text :
       {"__global__ void f() { if (a) {\n}\n__global__ void g() {}",
        "__global__ void f() {}\n}\n__global__ void g() {}",
        "__global__ void f() {\n#ifdef X\n{ {\n#else\n{\n#endif\n}\n}\n__global__ void g() {}",
        "__global__ void f() {}\n#if 1\n__global__ void g() {}"}) {
    EXPECT_FALSE(isComplete(text)) << text;
    EXPECT_EQ(headsOf(text).back().name, "g") << text;
  }
  EXPECT_FALSE(isComplete("#define T template <int N>\nT __global__ void f() {}"));
  EXPECT_FALSE(isComplete("#define K __global__ void\nK f() {}"));
  EXPECT_FALSE(isComplete("__global__ void f() <% %>"));
  EXPECT_TRUE(isComplete("__global__ void f() { int a = 3 < 4 % 5, b = 6 % 7 > 2; }"));
  EXPECT_FALSE(isComplete("#define NAME(a, b) a##b\n__global__ void NAME(x, y)(int* p) {}"));
  EXPECT_EQ(namesOf("#define NAME f\n__global__ void NAME() {}\n__global__ void g() {}"), "g:3 ");
}

TEST(KernelHeads, BranchesMayHaveDifferentHeadsForOneBody) {
  const std::string text =
      "#ifdef HALF\n__global__ void f(half* p) {\n#else\n__global__ void g(float* p) {\n#endif\n"
      "  p[0] = 1;\n}\n__global__ void h() {}";
  EXPECT_EQ(namesOf(text), "f:2 g:4 h:8 ");
  EXPECT_TRUE(isComplete(text));
  EXPECT_EQ(headsOf(text)[0].bodyEnd, headsOf(text)[1].bodyEnd);
}

TEST(KernelHeads, TheShippedKernelsAreComplete) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kernelFolder())) {
    if (entry.path().extension() != ".cu") continue;
    const auto text = readTextFile(entry.path());
    ASSERT_TRUE(text) << entry.path();
    EXPECT_TRUE(isComplete(*text)) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 20U);
}

TEST(KernelHeads, AllAreFoundAndALongListIsShortened) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "__global__ void k" + std::to_string(i) + "() {}\n";
  const std::vector<KernelHead> heads = headsOf(text);
  ASSERT_EQ(heads.size(), 100u);
  EXPECT_EQ(heads[99].line, 100);
  const std::string list = listedKernels(heads);
  EXPECT_TRUE(list.ends_with("k19 (line 20) and 80 more")) << list;
}

TEST(KernelHeads, OneMebibyteOfDamagedTextIsReadInOnePass) {
  for (const char* piece :
       {"__global__ a<( ", "__global__ void a() { ", "namespace a { ", "template <( ",
        "#if X\n(\n#else\n", "__global__ void a(", "template <a <"}) {
    std::string text;
    while (text.size() < (size_t{1} << 20)) text += piece;
    EXPECT_LE(headsOf(text).size(), 1u) << piece;
  }
}

/// The sample with other names of the file and the function, and with `written` (if not empty) as
/// the entry in its front matter.
Result<KernelSpec> specOf(const std::string& file, const std::string& written,
                          const std::string& function, const std::string& asked = {}) {
  std::string text = sampleText();
  if (!written.empty())
    text = replaced(text, "title = \"Scale\"", "title = \"Scale\"\nentry = \"" + written + "\"");
  KernelSource source{file, replaced(text, "void scale(", "void " + function + "("), {}, asked};
  return parseKernel(source);
}

TEST(EntryChoice, TheOnlyFunctionIsTheEntry) {
  for (const char* written : {"", "old", "ns::old", "old<WIDTH>"}) {
    const auto spec = valueOrThrow(specOf("my-copy 2.cu", written, "scale"));
    EXPECT_EQ(spec.entry, "scale");
    const int line = written[0] == '\0' ? 25 : 26;
    EXPECT_EQ(spec.entryLine, line);
    EXPECT_EQ(spec.assumed, (std::vector<Assumption>{{"entry", "scale", line}}));
  }
}

TEST(EntryChoice, AnEntryThatMatchesTheFileIsNoAssumption) {
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

TEST(EntryChoice, TheNameSelectsOneOfSeveralAndErrorsListThem) {
  const auto parsed = [](const std::string& path, const std::string& asked) {
    return parseKernel({path, withSecond(), {}, asked});
  };
  const auto none = parsed("my.cu", "");
  ASSERT_FALSE(none);
  EXPECT_EQ(toString(none.error()).substr(0, 9), "my.cu:25:") << toString(none.error());
  for (const char* part : {"scale (line 25) and second (line 29)", "--entry NAME", "entry = "})
    EXPECT_TRUE(has(none.error().message, part));
  const auto second = parsed("my.cu", "second");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->entry, "second");
  EXPECT_EQ(second->entryLine, 29);
  EXPECT_TRUE(second->assumed.empty());
  EXPECT_EQ(parsed("second.cu", "")->entry, "second") << "one function has the file's name";
  EXPECT_TRUE(
      fails(parsed("my.cu", "third"), "no __global__ function third; it has scale (line 25)"));
  EXPECT_FALSE(parsed("my.cu", "third("));
}

TEST(EntryChoice, AskingForTheDefaultFunctionChangesNothing) {
  const KernelSource scale{"scale.cu", withSecond(), {}};
  EXPECT_EQ(withEntry(scale, "scale").entry, "");
  EXPECT_EQ(withEntry(scale, "second").entry, "second");
  EXPECT_EQ(withEntry(scale, "nobody").entry, "nobody") << "the parser reports the error";
  const KernelSource other{"my.cu", withSecond(), {}};
  EXPECT_EQ(withEntry(other, "scale").entry, "scale") << "without it, the choice is ambiguous";
}

TEST(EntryChoice, AWrittenEntryThatMatchesNoFunctionIsRefusedAtItsLine) {
  const std::string text = replaced(withSecond(), "title = ", "entry = \"old\"\ntitle = ");
  const auto spec = parseKernel({"my.cu", text, {}});
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().where->line, 2);
  EXPECT_EQ(spec.error().sourceLine, "entry = \"old\"");
  EXPECT_TRUE(has(spec.error().message, "second (line 30)"));
}

TEST(EntryChoice, FunctionsAreListedEvenWithoutFrontMatter) {
  const std::string two = "__global__ void add(int* p) {}\n__global__ void scale(int* p) {}\n";
  EXPECT_TRUE(fails(parseKernel({"my.cu", two, {}}), "add (line 1) and scale (line 2)"));
  EXPECT_TRUE(
      fails(parseKernel({"my.cu", two, {}, "add"}), "tilestep draft my.cu writes a first version"));
  EXPECT_TRUE(fails(parseKernel({"my.cu", "int main() {}\n", {}}), "has no __global__ function"));
}

std::string templated(const std::string& head, const std::string& entry) {
  std::string text = replaced(sampleText(), "__global__ void scale", head);
  return entry.empty() ? text : replaced(text, "title = ", "entry = \"" + entry + "\"\ntitle = ");
}

TEST(EntryChoice, ATemplateKeepsItsWrittenArguments) {
  const std::string head = "template <int kN, int kM = 2>\n__global__ void fresh";
  EXPECT_EQ(parseKernel({"my.cu", templated(head, "old<WIDTH>"), {}})->entry, "fresh<WIDTH>");
  EXPECT_EQ(parseKernel({"my.cu", templated(head, "fresh<8>"), {}, "fresh"})->entry, "fresh<8>");
  EXPECT_EQ(parseKernel({"my.cu", templated(head, "fresh<8>"), {}, "fresh<4>"})->entry, "fresh<4>");
  const auto unknown = parseKernel({"my.cu", templated(head, ""), {}});
  ASSERT_TRUE(fails(unknown, "fresh is a template"));
  EXPECT_EQ(unknown.error().where->line, 26);
  const auto launched = valueOrThrow(parseKernel(
      {"my.cu", templated(head, "") + "void run() { fresh<16><<<1, 2>>>(p, 3); }", {}}));
  EXPECT_EQ(launched.entry, "fresh<16>");
  EXPECT_EQ(launched.assumed.back().what, "template arguments");
  const auto defaults =
      parseKernel({"my.cu", templated("template <int kN = 8>\n__global__ void fresh", ""), {}});
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->entry, "fresh<>");
}

TEST(EntryChoice, NamespacesAndMacrosAreSupported) {
  const std::string text =
      templated("namespace ns {\ntemplate <int kN>\n__global__ void fresh", "fresh<WIDTH>") + "}\n";
  const auto spec = valueOrThrow(parseKernel({"my.cu", text, {}}));
  EXPECT_EQ(spec.entry, "ns::fresh<WIDTH>");
  const std::string macro =
      "#define MAKE(NAME) __global__ void NAME(float* P, int n) {}\nMAKE(made)\n";
  const auto byMacro = valueOrThrow(parseKernel(
      {"my.cu", replaced(sampleText(), "title = ", "entry = \"made\"\ntitle = ") + macro, {}}));
  EXPECT_EQ(byMacro.entry, "made");
  EXPECT_EQ(parseKernel({"my.cu", sampleText() + macro, {}, "made"})->entry, "made");
}

TEST(EntryChoice, OneNameInTwoNamespacesIsRefused) {
  EXPECT_TRUE(fails(
      parseKernel(
          {"my.cu", withSecond("namespace a { __global__ void scale(int* p) {} }"), {}, "scale"}),
      "scale (line 25) and a::scale (line 29)"));
  const std::string text = withSecond("namespace a { __global__ void scale(int* p) {} }");
  for (const char* name : {"a::scale", "scale"}) {
    EXPECT_TRUE(fails(parseKernel({"my.cu", text, {}, name}), "give one of them another name"))
        << name;
  }
}

TEST(EntryChoice, AnIncompleteFileKeepsItsWrittenEntry) {
  const std::string hidden =
      "#define KERNEL __global__ void\nKERNEL my(float* P, int n) {}\nKERNEL other(int* P) {}\n";
  EXPECT_EQ(parseKernel({"my.cu", sampleText() + hidden, {}})->entry, "my") << "the file's name";
  EXPECT_EQ(parseKernel({"my.cu", sampleText() + hidden, {}, "other"})->entry, "other");
  EXPECT_TRUE(fails(parseKernel({"my-copy 2.cu", sampleText() + hidden, {}}),
                    "may have more __global__ functions"));
  const std::string unclosed =
      replaced(sampleText(), "title = ", "entry = \"second\"\ntitle = ") + "void f() { {\n}\n";
  const auto written = valueOrThrow(parseKernel({"my.cu", unclosed, {}}));
  EXPECT_EQ(written.entry, "second");
  EXPECT_TRUE(written.assumed.empty());
}

TEST(EntryChoice, BranchesWithDifferentBracesDoNotAffectAWrittenEntry) {
  const std::string body =
      "__global__ void first(float* P, int n) {\n#ifdef UNROLL\n  for (;;) {\n#else\n  while (1) "
      "{\n"
      "#endif\n  }\n}\n";
  const std::string text = replaced(sampleText(), "title = ", "entry = \"scale\"\ntitle = ");
  const size_t at = text.find("__global__");
  const auto spec =
      valueOrThrow(parseKernel({"my.cu", text.substr(0, at) + body + text.substr(at), {}}));
  EXPECT_EQ(spec.entry, "scale");
  EXPECT_TRUE(spec.assumed.empty());
}

TEST(EntryChoice, APlainFunctionHasNoTemplateArguments) {
  const auto asked = specOf("scale.cu", "", "scale", "scale<3>");
  const auto written = specOf("scale.cu", "scale<4>", "scale");
  ASSERT_FALSE(asked);
  ASSERT_FALSE(written);
  EXPECT_EQ(asked.error().message, "scale is not a template; omit <3>");
  EXPECT_EQ(written.error().message, "scale is not a template; omit <4>");
  EXPECT_EQ(written.error().sourceLine, "entry = \"scale<4>\"");
}

TEST(EntryChoice, OneNameInTwoBranchesIsOneFunction) {
  const std::string other = "#ifdef FAST\n__global__ void scale(float* P, int n) {}\n#endif\n";
  const auto spec = valueOrThrow(parseKernel({"my.cu", withSecond(other), {}}));
  EXPECT_EQ(spec.entry, "scale");
  EXPECT_EQ(spec.entryLine, 25);
}

TEST(EntryChoice, LaunchesThatNameTheirFunctionsAllowNoChoice) {
  const std::string text = replaced(withSecond(), "[launch]\n", "[launch]\nentry = \"second\"\n");
  const auto spec = valueOrThrow(parseKernel({"my.cu", text, {}}));
  EXPECT_EQ(spec.launches[0].entry, "second");
  EXPECT_TRUE(fails(parseKernel({"my.cu", text, {}, "scale"}), "--entry has nothing to choose"));
}

}  // namespace tilestep::compile::entry_choice_test
