// SPDX-License-Identifier: Apache-2.0
#include "model/text/covered_pieces.h"

#include <gtest/gtest.h>

namespace tilestep::model::covered_pieces_test {

using Pieces = std::vector<CoveredPiece>;

TEST(CoveredPieces, ALineIsSplitAtHiddenTexts) {
  EXPECT_EQ(
      coveredPieces("if (a < b) c = a < b;", {"a < b"}),
      (Pieces{{"if (", false}, {"a < b", true}, {") c = ", false}, {"a < b", true}, {";", false}}));
  EXPECT_EQ(withoutCovered("if (a < b) c = a < b;", {"a < b"}), "if (…) c = …;");
}

TEST(CoveredPieces, OverlappingTextsAreOnePiece) {
  EXPECT_EQ(coveredPieces("aaa b", {"aa", "a b"}), (Pieces{{"aaa b", true}}));
}

TEST(CoveredPieces, ALineWithoutHiddenTextsIsOnePiece) {
  EXPECT_EQ(coveredPieces("a < b", {"b < a", ""}), (Pieces{{"a < b", false}}));
  EXPECT_EQ(coveredPieces("a < b", {}), (Pieces{{"a < b", false}}));
  EXPECT_TRUE(coveredPieces("", {"a"}).empty());
}

}  // namespace tilestep::model::covered_pieces_test
