// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/entries.h"

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "compile/text/parameters.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::compile::entries_test {

TEST(Entries, AreNamesOrInstances) {
  for (const char* good : {"saxpy", "reduce<256>", "ns::reduce<BLOCK, float>", "a::b"}) {
    EXPECT_TRUE(isEntryName(good)) << good;
  }
  for (const char* bad : {"", "1a", "reduce<256", "reduce<1>;", "a::", "f<\"x\">", "f()"}) {
    EXPECT_FALSE(isEntryName(bad)) << bad;
  }
  EXPECT_EQ(moduleNameOf("saxpy"), "saxpy");
  EXPECT_EQ(moduleNameOf("ns::saxpy"), "saxpy");
  EXPECT_EQ(moduleNameOf("reduce<BLOCK, float>"), "reduce_BLOCK_float");
}

constexpr const char* kText = R"cu(/*---
[tunable.A]
default = 32
range = [32, 64]

[[launch]]
entry = "fill<A, float>"
block = 32
grid = 1

[[launch]]
entry = "fill<2 * A, float>"
block = 32
grid = 1

[[operand]]
name = "P"
extent = 32
direction = "out"
---*/
template <int kN, class T>
__global__ void fill(T* P) {
  P[threadIdx.x] = kN;
}
)cu";

TEST(Entries, InstancesCarryTheTunablesValues) {
  const std::vector<Instance> found = instancesOf({"kernels/x.cu", kText, ""}, {{"A", 48}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].entry, "fill<A, float>");
  EXPECT_EQ(found[0].expression, "fill<48, float>");
  EXPECT_EQ(found[1].expression, "fill<2 * 48, float>");
}

TEST(Entries, EachInstanceIsFoundInTheModule) {
  std::string text = kText;
  text.replace(text.find("2 * A"), 5, "64");
  for (const char* compiler : {"nvrtc", "clang"}) {
    CompileService service({support::sourceRoot(), "", compiler});
    if (!service.description() && !support::skipWithout(compiler).empty()) continue;
    CompileRequest request;
    request.source = {"kernels/x.cu", text, ""};
    request.tunables["A"] = 48;
    const auto made = valueOrThrow(service.compile(request));
    const ptx::Function* first = made->module->find("fill_A_float");
    const ptx::Function* second = made->module->find("fill_64_float");
    ASSERT_TRUE(first && second) << made->ptx;
    EXPECT_NE(first, second);
  }
}

TEST(Entries, OverloadsAreRefused) {
  std::string text = kText;
  for (const char* entry : {"fill<A, float>", "fill<2 * A, float>"})
    text.replace(text.find(entry), std::string(entry).size(), "fill");
  text = text.substr(0, text.find("template")) +
         "__global__ void fill(float* P) { P[0] = 1; }\n"
         "__global__ void fill(int* P) { P[0] = 1; }\n";
  CompileService service({support::sourceRoot(), "", ""});
  CompileRequest request;
  request.source = {"kernels/x.cu", text, ""};
  const auto made = valueOrThrow(service.compile(request));
  const auto spec = valueOrThrow(parseKernel(request.source));
  EXPECT_TRUE(fails(checkParameters(spec, *made->module), "overloads are not supported"));
}

TEST(Entries, AMissingEntryIsRefused) {
  // No other function is used instead, even if there are several.
  std::string text = std::string(kText) + "__global__ void other(float* P) {}\n";
  text.replace(text.find("fill<A"), 4, "fall");
  const auto spec = parseKernel({"kernels/x.cu", text, ""});
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().where->line, 7);
  EXPECT_TRUE(has(spec.error().message, "entry is fall"));
}

}  // namespace tilestep::compile::entries_test
