// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

namespace tilestep::bytes_test {

TEST(Bytes, NumbersAreLittleEndian) {
  ByteWriter writer;
  writer.put(uint32_t{0x01020304});
  writer.put(int16_t{-2});
  const auto bytes = writer.take();
  const std::vector<std::byte> expected{std::byte{4}, std::byte{3},    std::byte{2},
                                        std::byte{1}, std::byte{0xfe}, std::byte{0xff}};
  EXPECT_EQ(bytes, expected);
}

TEST(Bytes, ReaderReturnsTheWrittenValues) {
  ByteWriter writer;
  writer.put(2.5);
  writer.putText("Mds");
  writer.put(~uint64_t{0});
  writer.putText("");
  const auto bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.get<double>(), 2.5);
  EXPECT_EQ(reader.getText(), "Mds");
  EXPECT_EQ(reader.get<uint64_t>(), ~uint64_t{0});
  EXPECT_EQ(reader.getText(), "");
  EXPECT_EQ(reader.left(), 0U);
}

TEST(Bytes, ReaderStopsAtTheEnd) {
  const std::array<std::byte, 3> three{};
  ByteReader reader(three);
  EXPECT_EQ(reader.get<uint32_t>(), std::nullopt);
  EXPECT_EQ(reader.left(), 3U) << "a refused read must consume nothing";
  EXPECT_EQ(reader.getBytes(4), std::nullopt);
  EXPECT_EQ(reader.get<uint16_t>(), 0);
  EXPECT_EQ(reader.getBytes(1)->size(), 1U);
  EXPECT_EQ(reader.get<uint8_t>(), std::nullopt);
}

TEST(Bytes, AForgedTextLengthIsRefused) {
  ByteWriter writer;
  writer.put(std::numeric_limits<uint32_t>::max());
  writer.put(uint8_t{'a'});
  const auto bytes = writer.take();
  EXPECT_EQ(ByteReader(bytes).getText(), std::nullopt);
}

TEST(Bytes, ColumnsRoundTrip) {
  const std::vector<int16_t> values{-1, 0, 32767};
  const auto column = toColumn(std::span(values));
  EXPECT_EQ(column.size(), 6U);
  EXPECT_EQ(column[0], std::byte{0xff});
  EXPECT_EQ(fromColumn<int16_t>(column), values);
  EXPECT_EQ(fromColumn<uint32_t>(column), std::nullopt) << "6 is not a multiple of 4";
  EXPECT_EQ(fromColumn<float>(std::span<const std::byte>{})->size(), 0U);
}

}  // namespace tilestep::bytes_test
