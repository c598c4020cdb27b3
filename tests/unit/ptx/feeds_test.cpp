// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/feeds.h"

#include <gtest/gtest.h>

#include <string>

#include "support.h"

namespace tilestep::ptx::feeds_test {

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

Pairs feedsOf(const std::string& body) {
  return feeds(kernel(body));
}

TEST(Feeds, AStoredValueMayComeFromALoadThroughACopy) {
  EXPECT_EQ(feedsOf("ld.global.f32 %f1, [%rd1];\n"
                    "mov.f32 %f2, %f1;\n"
                    "st.shared.f32 [%r1], %f2;\n"),
            (Pairs{{2, 0}}));
}

TEST(Feeds, AStoredValueMayComeFromEitherLoad) {
  EXPECT_EQ(feedsOf("ld.global.f32 %f1, [%rd1];\n"
                    "mov.f32 %f1, 0f00000000;\n"
                    "ld.global.f32 %f2, [%rd1+4];\n"
                    "selp.f32 %f3, %f1, %f2, %p1;\n"
                    "st.shared.f32 [%r1], %f3;\n"),
            (Pairs{{4, 0}, {4, 2}}));
}

TEST(Feeds, ASummandMayComeFromLoadsThroughAProduct) {
  EXPECT_EQ(feedsOf("ld.global.f32 %f1, [%rd1];\n"
                    "ld.global.f32 %f2, [%rd2];\n"
                    "mul.f32 %f3, %f1, %f2;\n"
                    "add.f32 %f4, %f4, %f3;\n"
                    "fma.rn.f32 %f5, %f1, %f2, %f5;\n"),
            (Pairs{{3, 0}, {3, 1}, {4, 0}, {4, 1}}));
}

}  // namespace tilestep::ptx::feeds_test
