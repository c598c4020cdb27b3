// SPDX-License-Identifier: Apache-2.0
#include "model/files/toml_text_place.h"

#include <gtest/gtest.h>

namespace tilestep::model::toml_text_place_test {

TEST(TomlTextPlace, IsAfterTheQuotes) {
  EXPECT_EQ(placeInToml("a = \"text\"", {1, 5}, 2), (TextPlace{1, 8}));
  EXPECT_EQ(placeInToml("a = 'text'", {1, 5}, 0), (TextPlace{1, 6}));
  EXPECT_EQ(placeInToml("a = \"\"\"text\"\"\"", {1, 5}, 2), (TextPlace{1, 10}));
  EXPECT_EQ(placeInToml("\na = '''\none\ntwo'''", {2, 5}, 5), (TextPlace{4, 2}));
}

TEST(TomlTextPlace, CountsCharactersAndEscapes) {
  EXPECT_EQ(placeInToml("a = \"\\\"x\"", {1, 5}, 1), (TextPlace{1, 8})) << "x";
  EXPECT_EQ(placeInToml("a = \"\\u00e4x\"", {1, 5}, 2), (TextPlace{1, 12})) << "x";
  EXPECT_EQ(placeInToml("a = \"\xc3\xa4x\"", {1, 5}, 2), (TextPlace{1, 7})) << "x";
  EXPECT_EQ(placeInToml("a = ['\xc3\xa4', 'b']", {1, 11}, 0), (TextPlace{1, 12})) << "b";
  EXPECT_EQ(placeInToml("a = \"\"\"one \\\n   two\"\"\"", {1, 5}, 4), (TextPlace{2, 4})) << "two";
  EXPECT_EQ(placeInToml("a = 'b\\n'", {1, 5}, 2), (TextPlace{1, 8})) << "no escape";
}

TEST(TomlTextPlace, AnUnfinishedTextHasThePositionOfItsEnd) {
  EXPECT_EQ(placeInToml("a = \"te", {1, 5}, 9), (TextPlace{1, 8}));
  EXPECT_EQ(placeInToml("a = \"\\u00", {1, 5}, 9).line, 1);
  EXPECT_EQ(placeInToml("", {3, 5}, 1), (TextPlace{3, 5}));
}

}  // namespace tilestep::model::toml_text_place_test
