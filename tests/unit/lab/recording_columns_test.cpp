// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_columns.h"

#include <gtest/gtest.h>

namespace tilestep::lab {
namespace recording_columns_test {

TEST(RecordingColumns, NumbersOfEveryKindComeBack) {
  const std::vector<int64_t> integers{0, 1, -1, INT64_MAX, INT64_MIN, 63, 64, -65, INT64_MIN, 0};
  ColumnWriter writer;
  for (const int64_t value : integers) writer.integer("i", value);
  for (const int64_t value : integers) writer.real("r", static_cast<double>(value) / 3);
  ColumnReader reader;
  for (const PackedColumn& column : writer.pack(9))
    ASSERT_TRUE(reader.add(column.name, column.type, column.entries, column.bytes));
  for (const int64_t value : integers) {
    EXPECT_EQ(reader.integer("i"), value);
    EXPECT_EQ(reader.real("r"), static_cast<double>(value) / 3);
  }
  reader.checkEnds();
  EXPECT_FALSE(reader.error());
  reader.integer("i");
  EXPECT_TRUE(reader.error());
}

PackedColumn zeros(size_t count) {
  ColumnWriter writer;
  for (size_t i = 0; i < count; ++i) writer.integer("zeros", 0);
  return writer.pack(9).front();
}

TEST(RecordingColumns, TextsAreKeptOnceAndPlain) {
  ColumnWriter writer;
  for (const char* text : {"a", "b", "a", ""}) writer.integer("t", writer.placeOf(text));
  writer.integer("t", 7);
  ColumnReader reader;
  for (const PackedColumn& column : writer.pack(9)) {
    EXPECT_EQ(column.entries, column.type == ColumnType::text ? 3U : 5U);
    ASSERT_TRUE(reader.add(column.name, column.type, column.entries, column.bytes));
  }
  for (const char* text : {"a", "b", "a", ""}) EXPECT_EQ(reader.text("t"), text);
  EXPECT_EQ(reader.text("t"), "");
  ASSERT_TRUE(reader.error());
  EXPECT_NE(reader.error()->message.find("column t: entry 4: there is no text 7"),
            std::string::npos)
      << reader.error()->message;
  ColumnWriter bad;
  bad.placeOf("a\x1b[2J");
  const PackedColumn column = bad.pack(9).front();
  EXPECT_FALSE(ColumnReader().add("texts", ColumnType::text, 1, column.bytes));
}

TEST(RecordingColumns, ATextThatIsNamedWithoutEndIsRefused) {
  ColumnWriter writer;
  const std::string text(ColumnReader::kMostText, 'x');
  constexpr size_t kFit = ColumnReader::kMostReturnedBytes / ColumnReader::kMostText;
  for (size_t i = 0; i <= kFit; ++i) writer.integer("t", writer.placeOf(text));
  ColumnReader reader;
  for (const PackedColumn& column : writer.pack(9))
    ASSERT_TRUE(reader.add(column.name, column.type, column.entries, column.bytes));
  for (size_t i = 0; i < kFit; ++i) ASSERT_EQ(reader.text("t").size(), text.size());
  ASSERT_FALSE(reader.error());
  EXPECT_EQ(reader.text("t"), "");
  ASSERT_TRUE(reader.error());
  EXPECT_NE(reader.error()->message.find("more than 64 MiB"), std::string::npos)
      << reader.error()->message;
}

TEST(RecordingColumns, ABombEndsAtTheNumberThatIsDeclared) {
  const PackedColumn bomb = zeros(4'000'000);
  EXPECT_LT(bomb.bytes.size(), 10000U);
  ColumnReader reader;
  const Status refused = reader.add("zeros", ColumnType::integer, 100, bomb.bytes);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("more than the 100 entries"), std::string::npos)
      << refused.error().message;
  ColumnReader real;
  EXPECT_FALSE(real.add("zeros", ColumnType::real, 100, bomb.bytes));
}

TEST(RecordingColumns, MoreThanARecordingMayHaveIsRefusedBeforeItIsUnpacked) {
  const PackedColumn column = zeros(10);
  ColumnReader reader;
  EXPECT_FALSE(reader.add("a", ColumnType::integer, ColumnReader::kMostEntries + 1, column.bytes));
  EXPECT_FALSE(reader.add("a", ColumnType::integer, ~uint64_t{0}, column.bytes));
  ASSERT_TRUE(reader.add("b", ColumnType::integer, 10, column.bytes));
  EXPECT_FALSE(reader.add("c", ColumnType::integer, ColumnReader::kMostEntries - 5, column.bytes));
}

TEST(RecordingColumns, FewerLeftOverMissingOrTwiceIsRefused) {
  const PackedColumn column = zeros(10);
  ColumnReader reader;
  EXPECT_FALSE(reader.add("fewer", ColumnType::integer, 11, column.bytes));
  EXPECT_FALSE(reader.add("left", ColumnType::integer, 10, column.bytes + "x"));
  ASSERT_TRUE(reader.add("a", ColumnType::integer, 10, column.bytes));
  EXPECT_FALSE(reader.add("a", ColumnType::integer, 10, column.bytes));
  reader.integer("a");
  reader.checkEnds();
  ASSERT_TRUE(reader.error());
  EXPECT_NE(reader.error()->message.find("more entries"), std::string::npos)
      << reader.error()->message;
}

}  // namespace recording_columns_test
}  // namespace tilestep::lab
