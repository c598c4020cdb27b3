// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/front_matter.h"

#include <gtest/gtest.h>

#include <random>

#include "compile/front_matter/structure.h"
#include "support/results.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::front_matter_test {

KernelSpec parsed(const std::string& text) {
  return valueOrThrow(parseKernel(sampleSource(text)));
}

Error refused(const std::string& text) {
  const auto spec = parseKernel(sampleSource(text));
  EXPECT_FALSE(spec.ok()) << text;
  return spec ? Error{} : spec.error();
}

TEST(FrontMatter, EveryFieldIsRead) {
  const KernelSpec spec = parsed(sampleText());
  EXPECT_EQ(spec.name, "scale");
  EXPECT_EQ(spec.entry, "scale");
  EXPECT_EQ(spec.title, "Scale");
  EXPECT_EQ(spec.sizes, (std::map<std::string, int64_t>{{"m", 4}, {"n", 8}}));
  ASSERT_EQ(spec.tunables.size(), 1u);
  EXPECT_EQ(spec.tunables[0].name, "WIDTH");
  EXPECT_EQ(spec.tunables[0].defaultValue, 16);
  EXPECT_EQ(spec.tunables[0].maximum, 64);
  ASSERT_EQ(spec.operands.size(), 2u);
  EXPECT_EQ(spec.operands[0].direction, Direction::inout);
  EXPECT_EQ(spec.operands[0].extent, "(m) * (n)");
  EXPECT_EQ(spec.operands[1].kind, OperandKind::scalar);
  EXPECT_EQ(spec.operands[1].type, ElementType::i32);
  ASSERT_EQ(spec.launches.size(), 1u);
  EXPECT_EQ(spec.launches[0].grid, std::vector<std::string>{"ceildiv(m * n, WIDTH)"});
  ASSERT_EQ(spec.rules.size(), 1u);
}

TEST(FrontMatter, FeaturesOfNewerGpusAreFoundInTheText) {
  EXPECT_FALSE(parsed(sampleText()).needsNewerGpu);
  for (const char* thing : {"#include <cuda_pipeline.h>\n", "__reduce_max_sync(~0u, 1);",
                            "asm(\"cp.async.wait_all;\");"})
    EXPECT_TRUE(parsed(sampleText() + "// " + thing).needsNewerGpu) << thing;
}

TEST(FrontMatter, SizesAndTunablesKeepTheirOrder) {
  std::string text = replaced(sampleText(), "m = 4, n = 8", "n = 8, m = 4, a = 2");
  text = replaced(text, "[launch]", "[tunable.A]\ndefault = 3\nvalues = [9, 3]\n\n[launch]");
  const KernelSpec spec = parsed(text);
  EXPECT_EQ(spec.sizeOrder, (std::vector<std::string>{"n", "m", "a"}));
  ASSERT_EQ(spec.tunables.size(), 2u);
  EXPECT_EQ(spec.tunables[0].name, "WIDTH");
  EXPECT_EQ(spec.tunables[1].name, "A");
  EXPECT_EQ(spec.tunables[1].values, (std::vector<int64_t>{3, 9}));
  const KernelSpec named =
      parsed(replaced(text, "values = [9, 3]", "values = [3, 9]\nnames = [\"few\", \"many\"]"));
  EXPECT_EQ(named.tunables[1].names, (std::vector<std::string>{"few", "many"}));
  const KernelSpec noted =
      parsed(replaced(text, "values = [9, 3]", "values = [9, 3]\ntitle = \"t\"\nnote = \"Odd.\""));
  EXPECT_EQ(noted.tunables[1].title, "t");
  EXPECT_EQ(noted.tunables[1].note, "Odd.");
}

std::string withStructure(const std::string& fields) {
  return "/*---\nsizes = { n = 8 }\n[launch]\nblock = [32]\ngrid = [1]\ncooperative = true\n"
         "[[operand]]\nname = \"s\"\nkind = \"scalar\"\n" +
         fields +
         "\n[[operand]]\nname = \"x\"\nextent = \"n\"\n---*/\n__global__ void scale() {}\n";
}

TEST(FrontMatter, AStructureHasTheLayoutOfC) {
  const KernelSpec spec = parsed(withStructure(
      "fields = [{ type = \"i8\", value = 1 }, { pointer = \"x\" }, { value = \"n\" }, "
      "{ type = \"f32\", value = 2, offset = 32 }]"));
  EXPECT_TRUE(spec.launches[0].cooperative);
  ASSERT_EQ(spec.operands.size(), 2u);
  EXPECT_TRUE(spec.operands[1].held);
  const StructureLayout layout = layoutOf(spec.operands[0]);
  EXPECT_EQ(layout.offsets, (std::vector<uint64_t>{0, 8, 16, 32}));
  EXPECT_EQ(layout.bytes, 40u);
  const KernelSpec vector = parsed(
      withStructure("align = 16\nfields = [{ type = \"f32\", value = 1 }, { pointer = \"x\" }]"));
  EXPECT_EQ(layoutOf(vector.operands[0]).bytes, 16u);
}

TEST(FrontMatter, AnInvalidStructureIsRefused) {
  EXPECT_TRUE(has(refused(withStructure("fields = [{ pointer = \"y\" }]")).message, "points to y"));
  EXPECT_TRUE(
      has(refused(withStructure("fields = [{ type = \"f32\" }]")).message, "needs a value"));
  EXPECT_TRUE(
      has(refused(withStructure("fields = [{ value = 1, offset = 2 }]")).message, "multiple of"));
  EXPECT_TRUE(
      has(refused(withStructure("align = 3\nfields = [{ value = 1 }]")).message, "align must be"));
  EXPECT_TRUE(
      has(refused(withStructure("value = 2\nfields = [{ value = 1 }]")).message, "in its fields"));
}

TEST(FrontMatter, ScalarsDefaultToSizesAndLaunchesNameFunctions) {
  const KernelSpec spec = parsed(replaced(sampleText(), "value = \"m * n\"\n", ""));
  EXPECT_EQ(spec.operands[1].value, "n");
  const KernelSpec several = parsed(replaced(
      sampleText() + "__global__ void first(float* P, int n) {}\n", "[launch]\nblock = [\"WIDTH\"]",
      "[[launch]]\nentry = \"first\"\nblock = 32\ngrid = 1\n\n[[launch]]\nblock = [\"WIDTH\", 2]"));
  ASSERT_EQ(several.launches.size(), 2u);
  EXPECT_EQ(several.launches[0].entry, "first");
  EXPECT_EQ(several.launches[0].block, std::vector<std::string>{"32"});
  EXPECT_EQ(several.launches[1].block.size(), 2u);
}

TEST(FrontMatter, MayComeAfterLineCommentsOrFromAFileBeside) {
  EXPECT_EQ(parsed("// a line\n\n" + sampleText()).title, "Scale");
  const std::string text = sampleText();
  const size_t end = text.find("---*/");
  KernelSource source{"kernels/scale.cu", "__global__ void scale(float*, int);\n",
                      text.substr(5, end - 5)};
  const auto spec = valueOrThrow(parseKernel(source));
  EXPECT_EQ(spec.title, "Scale");
  source.frontMatter = "title = \"T\"\nsizes = 3\n";
  const auto bad = parseKernel(source);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().where->file, "kernels/scale.toml");
  EXPECT_EQ(bad.error().where->line, 2);
  EXPECT_EQ(bad.error().sourceLine, "sizes = 3");
}

TEST(FrontMatter, BothInTheFileAndBesideItIsRefused) {
  const std::string text = "// a line\n" + sampleText();
  for (const char* beside : {"title = \"T\"\n", "\n"}) {
    const auto both = parseKernel({"kernels/scale.cu", text, beside});
    ASSERT_FALSE(both.ok());
    EXPECT_EQ(both.error().kind, ErrorKind::request);
    EXPECT_EQ(both.error().message,
              "front matter is in kernels/scale.cu and in kernels/scale.toml beside it; "
              "delete one, or name the one to use: tilestep run --spec "
              "kernels/scale.toml kernels/scale.cu");
    EXPECT_EQ(both.error().where->file, "kernels/scale.cu");
    EXPECT_EQ(both.error().where->line, 2);
  }
}

TEST(FrontMatter, ErrorsNameTheLineOfTheFile) {
  const Error missing = refused("\n__global__ void scale() {}\n");
  EXPECT_TRUE(has(missing.message, "scale.toml"));
  EXPECT_EQ(missing.where->line, 2);
  const Error open = refused("// x\n/*---\ntitle = \"a\"\n");
  EXPECT_EQ(open.where->line, 2);
  EXPECT_TRUE(has(open.message, "---*/"));
  EXPECT_EQ(refused("").kind, ErrorKind::request);
  const Error error =
      refused("// one\n// two\n/*---\ntitle = \"a\nx\n---*/\n__global__ void f() {}\n");
  ASSERT_TRUE(error.where.has_value());
  EXPECT_EQ(error.where->file, "kernels/scale.cu");
  EXPECT_EQ(error.where->line, 4);
  EXPECT_EQ(error.sourceLine, "title = \"a");
}

struct BadCase {
  const char* from;
  const char* to;
  int line;
  const char* says;
};

class BadFrontMatter : public testing::TestWithParam<BadCase> {};

TEST_P(BadFrontMatter, IsRefusedAtItsLine) {
  const BadCase& bad = GetParam();
  const Error error = refused(replaced(sampleText(), bad.from, bad.to));
  ASSERT_TRUE(error.where.has_value()) << error.message;
  EXPECT_EQ(error.where->line, bad.line) << error.message;
  EXPECT_TRUE(has(error.message, bad.says));
  EXPECT_EQ(error.kind, ErrorKind::request);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadFrontMatter,
    testing::Values(
        BadCase{"title =", "titel =", 2, "the nearest is title"},
        BadCase{"title = \"Scale\"", "title = 3", 2, "title must be a string"},
        BadCase{"n = 8 }", "n = 0 }", 3, "1 or more"},
        BadCase{"n = 8 }", "n = \"x\" }", 3, "whole number"},
        BadCase{"n = 8 }", "max = 8 }", 3, "is a function"},
        BadCase{"n = 8 }", "THREADS_MAX = 8 }", 3, "is already used"},
        BadCase{"n = 8 }", "MULTIPROCESSORS = 8 }", 3, "is already used"},
        BadCase{"WIDTH * n <=", "WIDHT * n <=", 4, "the nearest name is WIDTH"},
        BadCase{"<= 512\"", "<= (512\"", 4, "cannot be evaluated"},
        BadCase{"<= 512\"", "= 512\"", 4, "write =="},
        BadCase{"expr =", "expression =", 4, "the nearest is expr"},
        BadCase{"[tunable.WIDTH]", "[tunable.n]", 6, "is already used"},
        BadCase{"default = 16", "default = 65", 7, "not one of its values"},
        BadCase{"default = 16\n", "", 6, "no default"},
        BadCase{"range = [1, 64]", "range = [64, 1]", 8, "range = [FIRST, LAST]"},
        BadCase{"range = [1, 64]", "range = [1, 99999999999]", 6, "2^31"},
        BadCase{"range = [1, 64]", "range = [1, 64]\nstep = 0", 9, "step must be 1"},
        BadCase{"range = [1, 64]", "values = [16, 32]\nnames = [\"a\"]", 9, "one name for each"},
        BadCase{"range = [1, 64]", "range = [1, 64]\nnames = [1]", 9, "a list of strings"},
        BadCase{"block = [\"WIDTH\"]\n", "", 10, "block and grid"},
        BadCase{"block = [\"WIDTH\"]", "block = [1, 2, 3, 4]", 11, "one to three"},
        BadCase{"ceildiv(m * n, WIDTH)", "ceildiv(m * n)", 12, "cannot be evaluated"},
        BadCase{"name = \"P\"\n", "", 14, "an operand needs a name"},
        BadCase{"rows = \"m\"\n", "", 14, "rows and columns, or an extent"},
        BadCase{"rows = \"m\"", "rows = 1.5", 16, "whole number or an expression"},
        BadCase{"direction = \"inout\"", "direction = \"up\"", 18, "in, out and inout"},
        BadCase{"kind = \"scalar\"", "kind = \"scalar\"\ntype = \"f99\"", 23,
                "it must be one of f32"},
        BadCase{"name = \"n\"", "name = \"P\"", 20, "two operands P"},
        BadCase{"value = \"m * n\"", "value = \"m * n\"\nrows = 3", 20,
                "cannot have rows, columns"},
        BadCase{"value = \"m * n\"", "value = \"m * n\"\nexpect = 3", 24, "direction out or inout"},
        BadCase{"direction = \"inout\"", "direction = \"inout\"\nexpect = \"j\"", 19,
                "nearest name"},
        BadCase{"title =", "reference = \"block_sums\"\ntitle =", 2, "needs elements_per_block"},
        BadCase{"title =", "reference = \"block_scan\"\ntitle =", 2, "needs elements_per_block"},
        BadCase{"title =", "elements_per_block = 3\ntitle =", 2, "is only for reference"},
        BadCase{"title =", "entry = \"f<\"\ntitle =", 2, "entry must be the name"}));

TEST(FrontMatter, HasAtMost64TunablesAndRules) {
  const auto withTunables = [](int more) {
    std::string text;
    for (int i = 0; i < more; ++i)
      text += "[tunable.T" + std::to_string(i) + "]\ndefault = 1\nrange = [1, 2]\n";
    return replaced(sampleText(), "[tunable.WIDTH]", text + "[tunable.WIDTH]");
  };
  const auto withRules = [](int more) {
    std::string text = "rules = [";
    for (int i = 0; i < more; ++i) text += "{ expr = \"1\", say = \"no\" }, ";
    return replaced(sampleText(), "rules = [", text);
  };
  EXPECT_TRUE(parseKernel(sampleSource(withRules(63))).ok());
  EXPECT_EQ(refused(withRules(64)).message, "a kernel has at most 64 rules; this one has 65");
  EXPECT_EQ(refused(withTunables(64)).message, "a kernel has at most 64 tunables; this one has 65");
}

// Files may come from anyone, so no text may make the parser crash.
TEST(FrontMatter, DamagedTextsAreReadWithoutCrashing) {
  std::mt19937 random(20);
  const std::string seed = sampleText();
  const std::string letters = std::string("\"[]{}=#*/-_.,()\n\\ 0aZ\x80\xff") + '\0';
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = seed;
    for (unsigned edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
      const size_t at = random() % text.size();
      const size_t length = random() % 12;
      switch (random() % 4) {
        case 0:
          text[at] = letters[random() % letters.size()];
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), length));
          break;
        default:
          text.resize(at + 1);
          break;
      }
    }
    const auto spec = parseKernel(sampleSource(text));
    accepted += spec.ok();
    if (!spec) {
      EXPECT_FALSE(spec.error().message.empty());
    } else {
      const auto plan = compile::plan(*spec, {}, {}, Limits{});
      EXPECT_TRUE(plan.ok() || !plan.error().message.empty());
    }
  }
  EXPECT_GT(accepted, 100);  // Changes to the body and to strings keep the file valid.
}

TEST(FrontMatter, DeepNestingAndLongExpressionsAreRefused) {
  refused("/*---\nx = " + std::string(100000, '[') + "\n---*/\n");
  const std::string deep = std::string(100000, '(') + "m" + std::string(100000, ')');
  const Error error = refused(replaced(sampleText(), "rows = \"m\"", "rows = \"" + deep + "\""));
  EXPECT_TRUE(has(error.message, "too long"));
}

}  // namespace tilestep::compile::front_matter_test
