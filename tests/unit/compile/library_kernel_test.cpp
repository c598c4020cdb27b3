// SPDX-License-Identifier: Apache-2.0
// A library's product is used like a kernel: by its name, with sizes, operands and a check.
#include "compile/front_matter/library_kernel.h"

#include <gtest/gtest.h>

#include "base/library_product.h"
#include "support/results.h"

namespace tilestep::compile::library_kernel_test {

TEST(LibraryKernel, IsFoundByItsNameAndPlanned) {
  for (const std::string_view name : kLibraryProducts) {
    const auto source = valueOrThrow(findKernel("kernels", std::string(name)));
    EXPECT_EQ(source.path, name);
    const auto spec = valueOrThrow(parseKernel(source));
    EXPECT_EQ(spec.name, name);
    EXPECT_EQ(spec.entry, name);
    EXPECT_EQ(spec.title, libraryTitle(name));
    EXPECT_TRUE(spec.tunables.empty());
    EXPECT_EQ(spec.reference, name == kCublasTf32 ? "matmul_tf32" : "matmul");
    const auto planned = valueOrThrow(plan(spec, {{"m", 3}, {"n", 5}, {"k", 7}}, {}, Limits{}));
    ASSERT_EQ(planned.launches.size(), 1U);
    EXPECT_EQ(planned.launches.front().entry,
              name);  // The device recognises the product by this name.
    EXPECT_DOUBLE_EQ(planned.operations, 2 * 3 * 5 * 7);
    ASSERT_EQ(planned.operands.size(), 3U);
    EXPECT_EQ(planned.operands[0].rows, 3U);
    EXPECT_EQ(planned.operands[0].columns, 7U);
    EXPECT_EQ(planned.operands[1].columns, 5U);
    EXPECT_EQ(planned.operands[2].spec.direction, Direction::out);
  }
}

TEST(LibraryKernel, OtherNamesAndSourcesAreRefused) {
  EXPECT_TRUE(fails(findKernel("kernels", "cublas:fp64"), ErrorKind::request,
                    "cublas:fp32, cublas:fp32-default and cublas:tf32"));
  KernelSource source = *libraryKernel(std::string(kCublasFp32));
  source.path = "mine.cu";
  EXPECT_TRUE(fails(parseKernel(source), "__global__"));
}

}  // namespace tilestep::compile::library_kernel_test
