// SPDX-License-Identifier: Apache-2.0
#include "base/toml/toml_depth.h"

#include <gtest/gtest.h>

#include <string>

namespace tilestep::toml_depth_test {

std::string repeated(const std::string& what, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += what;
  return text;
}

TEST(TomlDepth, KeysOfManyPartsAreRefusedWithTheirLine) {
  EXPECT_FALSE(whereTooDeep(repeated("a.", 31) + "a = 1"));
  for (const size_t parts : {33U, 200'000U}) {
    const std::string key = repeated("a.", parts - 1) + "a";
    for (const std::string& text : {"b = 2\n" + key + " = 1", "\n[" + key + "]",
                                    "\n[[" + key + "]]", "\nb = { " + key + " = 1 }"}) {
      const auto found = whereTooDeep(text);
      ASSERT_TRUE(found);
      EXPECT_EQ(std::string(found->what), "this key has more than 32 parts separated by dots");
      EXPECT_EQ(found->line, 2U);
    }
  }
}

TEST(TomlDepth, QuotedPartsAndBlanksCount) {
  EXPECT_TRUE(whereTooDeep(repeated("\"a\" . ", 33) + "a = 1"));
  EXPECT_TRUE(whereTooDeep(repeated("'a'.", 33) + "a = 1"));
}

TEST(TomlDepth, DeeplyNestedBracketsAreRefused) {
  EXPECT_FALSE(whereTooDeep("a = " + repeated("[", 32) + repeated("]", 32)));
  EXPECT_FALSE(whereTooDeep(repeated("[[b]]\na = [[], []]\n", 100)));
  const auto lists = whereTooDeep("a = " + repeated("[", 33) + repeated("]", 33));
  ASSERT_TRUE(lists);
  EXPECT_EQ(std::string(lists->what), "brackets are nested more than 32 deep");
  EXPECT_EQ(lists->column, 37U);
  EXPECT_TRUE(whereTooDeep("a = " + repeated("{ a = ", 33) + "1" + repeated("}", 33)));
}

TEST(TomlDepth, StringsAndCommentsAreNotKeys) {
  const std::string dots = repeated(".", 50), brackets = repeated("[{", 50);
  for (const std::string& text :
       {"a = \"" + dots + brackets + "\\\"" + dots + "\"", "a = '" + brackets + dots + "\\'",
        "# '''" + dots + "\na = 1 # \"\"\"" + brackets,
        "a = \"\"\"" + dots + "\n\"\"" + brackets + "\\\"\"\"\"\"\"\nb = 1",
        "a = '''" + brackets + "\n''" + dots + "'''''\nb = ''\nc = \"\""})
    EXPECT_FALSE(whereTooDeep(text)) << text;
  // Keys after a string count again.
  EXPECT_TRUE(whereTooDeep("a = '''''''''\n" + repeated("a.", 40) + "a = 1"));
  EXPECT_TRUE(whereTooDeep("a = \"\"\"\\\"\"\"\"\n" + repeated("a.", 40) + "a = 1"));
}

TEST(TomlDepth, InvalidTomlIsIgnored) {
  EXPECT_FALSE(whereTooDeep("a = "));
  EXPECT_FALSE(whereTooDeep("a = \"open"));
  EXPECT_FALSE(whereTooDeep("a = '''open"));
  EXPECT_FALSE(whereTooDeep(""));
}

}  // namespace tilestep::toml_depth_test
