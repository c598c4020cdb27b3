// SPDX-License-Identifier: Apache-2.0
// Files that are run with a separate spec.
#include "compile/front_matter/spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/results.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::spec_test {

/// The sample's front matter as the text of a TOML file.
std::string sampleToml() {
  const std::string text = sampleText();
  return text.substr(6, text.find("---*/") - 6);
}

Spec sampleSpec(const std::string& toml = sampleToml()) {
  return valueOrThrow(parseSpec("specs/scale.toml", toml));
}

KernelSource file(std::string text, std::string entry = {}) {
  return {"hand/in.cu", std::move(text), {}, std::move(entry)};
}

constexpr const char* kCode = "__global__ void mine(float* P, int n) {}\n";

SpecifiedKernel taken(const KernelSource& source, const Spec& spec = sampleSpec()) {
  return valueOrThrow(withSpec(source, spec));
}

Error refused(const KernelSource& source, const Spec& spec = sampleSpec()) {
  const Result<SpecifiedKernel> kernel = withSpec(source, spec);
  EXPECT_FALSE(kernel) << source.text;
  return kernel ? Error{} : kernel.error();
}

TEST(Spec, GivesInterfaceSizesAndLaunchToAPlainFile) {
  const SpecifiedKernel kernel = taken(file(kCode));
  EXPECT_EQ(kernel.spec.name, "in");
  EXPECT_EQ(kernel.spec.entry, "mine");
  EXPECT_EQ(kernel.spec.sizes, (std::map<std::string, int64_t>{{"m", 4}, {"n", 8}}));
  EXPECT_EQ(kernel.spec.operands.size(), 2U);
  EXPECT_EQ(kernel.source.text, kCode);
  // The returned source can be parsed like any other kernel.
  const auto again = valueOrThrow(parseKernel(kernel.source));
  EXPECT_EQ(again.entry, "mine");
}

TEST(Spec, FrontMatterInTheFileIsIgnoredWithANotice) {
  const std::string own = "// mine\n/*---\nthis is = = no TOML\n---*/\n";
  const SpecifiedKernel kernel = taken(file(own + kCode));
  EXPECT_EQ(kernel.spec.title, "Scale");
  const Assumption ignored{"front matter", "that of specs/scale.toml; the one here is ignored", 2};
  EXPECT_EQ(std::ranges::count(kernel.spec.assumed, ignored), 1);
  EXPECT_EQ(kernel.spec.entryLine, 5) << "line numbers do not change";
  EXPECT_EQ(std::ranges::count(kernel.source.text, '\n'), 5);
}

TEST(Spec, FrontMatterBesideTheFileIsIgnoredWithANotice) {
  KernelSource source = file(kCode);
  source.frontMatter = "title = 3\n";
  const SpecifiedKernel kernel = taken(source);
  ASSERT_FALSE(kernel.spec.assumed.empty());
  EXPECT_EQ(kernel.spec.assumed.back(),
            (Assumption{"front matter", "that of specs/scale.toml; hand/in.toml is ignored", 0}));
  source.path = "specs/./scale.cu";
  source.frontMatter = sampleToml();
  for (const Assumption& one : taken(source).spec.assumed) EXPECT_NE(one.what, "front matter");
  KernelSource both = file("/*---\ntitle = 3\n---*/\n" + std::string(kCode));
  both.frontMatter = "title = 4\n";
  const SpecifiedKernel withBoth = taken(both);
  EXPECT_EQ(withBoth.spec.title, "Scale");
  const auto isIgnored = [](const Assumption& one) { return one.what == "front matter"; };
  EXPECT_EQ(std::ranges::count_if(withBoth.spec.assumed, isIgnored), 2);
}

TEST(Spec, AKernelIsASpecWithTheNameOfItsFunction) {
  const Result<Spec> spec = specOf(sampleSource());
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->front.file, "kernels/scale.cu");
  const std::string two = std::string("__global__ void help(float* P, int n) {}\n") +
                          "__global__ void scale(float* P, int n) {}\n";
  const SpecifiedKernel kernel = taken(file(two), *spec);
  EXPECT_EQ(kernel.spec.entry, "scale");
  EXPECT_EQ(kernel.source.entry, "scale");
  EXPECT_EQ(taken(file(two, "help"), *spec).spec.entry, "help");
}

TEST(Spec, SeveralFunctionsNeedAChoice) {
  const Error error =
      refused(file("__global__ void a(float* P, int n) {}\n"
                   "__global__ void b(float* P, int n) {}\n"));
  EXPECT_EQ(error.message,
            "this file has several __global__ functions: a (line 1) and b (line 2); choose one "
            "with --entry NAME");
  EXPECT_EQ(error.where->file, "hand/in.cu");
  EXPECT_EQ(taken(file("__global__ void a(float* P, int n) {}\n"
                       "__global__ void in(float* P, int n) {}\n"))
                .spec.entry,
            "in")
      << "this function has the name of its file";
  EXPECT_TRUE(has(refused(file("int x;\n")).message, "no __global__ function"));
  EXPECT_TRUE(has(refused(file(kCode, "other")).message, "no __global__ function other"));
}

TEST(Spec, TemplateArgumentsComeFromTheSpecAndPlainFunctionsHaveNone) {
  const Spec spec = sampleSpec("entry = \"scale<WIDTH>\"\n" + sampleToml());
  EXPECT_EQ(
      taken(file("template <int W>\n__global__ void f(float* P, int n) {}\n"), spec).spec.entry,
      "f<WIDTH>");
  EXPECT_EQ(taken(file(kCode), spec).spec.entry, "mine");
  EXPECT_EQ(taken(file("__global__ void scale(float* P, int n) {}\n"), spec).spec.entry, "scale");
}

TEST(Spec, ASpecThatLaunchesTwoFunctionsNeedsBoth) {
  const Spec spec = sampleSpec(replaced(
      sampleToml(), "[launch]\n",
      "[[launch]]\nentry = \"first\"\nblock = [1]\ngrid = [1]\n[[launch]]\nentry = \"second\"\n"));
  EXPECT_EQ(refused(file(kCode), spec).message,
            "specs/scale.toml launches first, and this file has no __global__ function first; it "
            "has mine (line 1)");
  const SpecifiedKernel both = taken(file("__global__ void first(float* P, int n) {}\n"
                                          "__global__ void second(float* P, int n) {}\n"),
                                     spec);
  EXPECT_EQ(both.spec.launches[1].entry, "second");
}

TEST(Spec, ErrorsNameALineOfTheSpecOrTheFile) {
  const Result<Spec> bad = parseSpec("specs/bad.toml", replaced(sampleToml(), "title", "titel"));
  ASSERT_FALSE(bad);
  EXPECT_EQ(toString(bad.error()).find("specs/bad.toml:1"), 0U) << toString(bad.error());
  const Error defined = refused(file(std::string("#define WIDTH 8\n") + kCode));
  EXPECT_EQ(defined.where->file, "hand/in.cu");
  EXPECT_EQ(defined.where->line, 1);
  const Error open = refused(file("\n/*---\ntitle = 1\n" + std::string(kCode)));
  EXPECT_EQ(open.where->line, 2);
  const Spec other = sampleSpec("entry = \"scale<3>\"\n" +
                                replaced(sampleToml(), "[launch]\n", "[launch]\nentry = \"x\"\n"));
  const Error entry = refused(file("__global__ void a(float* P, int n) {}\n"
                                   "__global__ void b(float* P, int n) {}\n"),
                              other);
  EXPECT_EQ(entry.where->file, "specs/scale.toml");
}

TEST(Spec, IsReadFromAFileOrFoundByKernelName) {
  const auto kernel = valueOrThrow(readSpec(kernelFolder(), "matmul_tiled"));
  EXPECT_EQ(kernel.kernel.reference, "matmul");
  EXPECT_TRUE(has(readSpec(kernelFolder(), "matmul_tilde").error().message, "matmul_tiled"));
  EXPECT_FALSE(readSpec(kernelFolder(), "no/such.toml"));
  EXPECT_FALSE(readSpec(kernelFolder(), "cublas:fp32")) << "a library has no front matter";
}

/// Whatever the two texts are, the result is a kernel that parses again or an error.
TEST(Spec, DamagedTextsGiveAKernelOrAnError) {
  std::mt19937 random(20261125);
  const std::string pieces[] = {"/*---",
                                "---*/",
                                "*/",
                                "\"",
                                "[launch]\n",
                                "entry = \"a<b>\"\n",
                                "= ",
                                "__global__ void q() {}",
                                "template <int N>",
                                "\n",
                                "#if 0\n",
                                "(",
                                "{",
                                "\0x",
                                "sizes = { n = -1 }\n"};
  const auto damage = [&](std::string text) {
    for (unsigned changes = random() % 4; changes-- > 0;) {
      const size_t at = random() % (text.size() + 1);
      if (random() % 3 == 0 && at < text.size())
        text.erase(at, random() % 20);
      else
        text.insert(at, pieces[random() % std::size(pieces)]);
    }
    return text;
  };
  size_t good = 0;
  for (int i = 0; i < 3000; ++i) {
    const Result<Spec> spec = parseSpec("a.toml", damage(sampleToml()));
    if (!spec) {
      ASSERT_TRUE(spec.error().where) << spec.error().message;
      continue;
    }
    const Result<SpecifiedKernel> kernel = withSpec(file(damage(sampleText())), *spec);
    if (!kernel) {
      ASSERT_FALSE(kernel.error().message.empty());
      continue;
    }
    ++good;
    const auto again = valueOrThrow(parseKernel(kernel->source));
    ASSERT_EQ(again.entry, kernel->spec.entry);
  }
  EXPECT_GT(good, 300U) << "enough damaged texts must still be valid";
}

}  // namespace tilestep::compile::spec_test
