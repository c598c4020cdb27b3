// SPDX-License-Identifier: Apache-2.0
// Shipped kernels copied to programs: they compile, run and are right.
#include "features/program/kernel_copy.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/source_root.h"
#include "system/written_program.h"

namespace tilestep::system_test::kernel_copy_test {

using support::Finished;

/// The program made from a kernel at small sizes, or the reason why there is none.
std::string copyOf(const compile::CatalogueEntry& entry) {
  compile::Bindings sizes;
  for (const auto& [name, value] : entry.spec->sizes) sizes[name] = 70;
  Result<compile::Plan> plan = compile::plan(*entry.spec, sizes, {}, {});
  if (!plan) plan = compile::plan(*entry.spec, {}, {}, {});
  EXPECT_TRUE(plan) << entry.source.path;
  if (!plan) return {};
  const Result<std::string> text = features::programOf(entry.source, *entry.spec, *plan);
  return text ? *text : "// " + text.error().message;
}

TEST(KernelCopy, EachShippedKernelIsAProgramThatCompiles) {
  size_t copied = 0;
  for (const compile::CatalogueEntry& entry :
       compile::readCatalogue(support::sourceRoot() + "/kernels")) {
    ASSERT_TRUE(entry.spec) << entry.source.path;
    const std::string text = copyOf(entry);
    if (text.starts_with("// A copy") == false) continue;
    ++copied;
    const WrittenProgram program(text);
    const Finished done = program.run({"--compile"});
    EXPECT_EQ(done.status, 0) << entry.source.path << "\n" << done.err << text;
  }
  EXPECT_GT(copied, 20U);
}

TEST(KernelCopy, AProductEqualsTheHostsAndHasNoFault) {
  const auto source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled");
  ASSERT_TRUE(source);
  compile::CatalogueEntry entry{*source, *compile::parseKernel(*source), {}};
  const WrittenProgram program(copyOf(entry));
  const Finished done = program.run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(has(done.out, "largest difference: "));
  EXPECT_TRUE(has(done.err, "No fault was found in 1 launch"));
}

}  // namespace tilestep::system_test::kernel_copy_test
