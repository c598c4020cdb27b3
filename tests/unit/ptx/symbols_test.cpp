// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/symbols.h"

#include <gtest/gtest.h>

namespace tilestep::ptx::symbols_test {

TEST(Symbols, SharedVariablesHaveTheirSourceNames) {
  EXPECT_EQ(displayName("_ZZ6matmulE3Mds"), "Mds");
  EXPECT_EQ(displayName("_ZZ6matmulPKfS0_PfiE3Nds"), "Nds");
  EXPECT_EQ(displayName("_ZZ4tileILi16EEvPfE3Mds"), "Mds");
  EXPECT_EQ(displayName("matmul::Mds"), "Mds");
}

TEST(Symbols, FunctionNamesOmitParametersAndResults) {
  EXPECT_EQ(displayName("_Z6matmulPKfS0_Pfi"), "matmul");
  EXPECT_EQ(displayName("_Z4tileILi16EEvPf"), "tile<16>");
  EXPECT_EQ(displayName("_ZN3lab6matmulEPf"), "matmul");
}

TEST(Symbols, PlainNamesAreUnchanged) {
  for (const char* name : {"matmul", "$str", "_Znonsense", "param0$1", "", "__local_depot0"}) {
    EXPECT_EQ(displayName(name), name);
  }
}

}  // namespace tilestep::ptx::symbols_test
