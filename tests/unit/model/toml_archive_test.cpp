// SPDX-License-Identifier: Apache-2.0
#include "model/files/toml_archive.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::model::archive_test {

struct Sample {
  bool on = false;
  int count = 3;
  double share = 0.5;
  std::string name = "a";
  size_t word = 1;
  std::optional<Dim3> at;
  std::vector<int> list;
  std::map<std::string, int64_t> own;
  bool operator==(const Sample&) const = default;
};

constexpr std::array<const char*, 2> kWords{"one", "two"};

void describe(Archive& io, Sample& sample) {
  io("on", sample.on);
  io("count", sample.count, 1, 9);
  io("share", sample.share, 0, 1e30);
  io("name", sample.name);
  io("word", sample.word, kWords);
  io("at", sample.at, 0, "indices");
  io.list("item", sample.list, 2, [](Archive& in, int& value) { in("v", value, 0, 9); });
  io.table("own", [&](Archive& in) {
    in.each(sample.own, 2, "too many", [&](const std::string& name, int64_t& value) {
      in(name, value, -5, 5, "five at most");
    });
  });
}

std::string written(Sample sample) {
  return toTomlText("# S\n", [&](Archive& io) { describe(io, sample); });
}

std::string errorOf(const std::string& text) {
  Sample sample;
  const Status read = readToml(text, "s.toml", [&](Archive& io) { describe(io, sample); });
  if (read) return "";
  return std::to_string(read.error().where->line) + ": " + read.error().message;
}

TEST(Archive, OneDescriptionWritesAndReads) {
  const Sample sample{true, 4, 0.25, "b", 0, Dim3{1, 2, 0}, {7, 8}, {{"x", 1}, {"y", -1}}};
  Sample again;
  ASSERT_TRUE(readToml(written(sample), "s.toml", [&](Archive& io) { describe(io, again); }));
  EXPECT_EQ(again, sample) << written(sample);
  EXPECT_FALSE(has(written({}), "at ="));
}

TEST(Archive, EveryErrorNamesItsLineAndReason) {
  EXPECT_EQ(errorOf("count = 0"), "1: count must be from 1 to 9");
  EXPECT_EQ(errorOf("count = 1.5"), "1: count must be a whole number");
  EXPECT_EQ(errorOf("\nshare = 9223372036854775807"), "2: share must be a number from 0 to 1e+30")
      << "no double has this value";
  EXPECT_EQ(errorOf("share = true"), "1: share must be a number from 0 to 1e+30");
  EXPECT_EQ(errorOf("name = 'a\"b'\nword = 'three'"), "2: word must be one of: one, two");
  EXPECT_EQ(errorOf("at = [1, 2]"), "1: at must be three indices: [x, y, z]");
  EXPECT_EQ(errorOf("[[item]]\nv = 1\n[[item]]\nv = 10"), "4: v must be from 0 to 9");
  EXPECT_EQ(errorOf("[[item]]\n[[item]]\n[[item]]").substr(3), "more than 2 items");
  EXPECT_EQ(errorOf("own = 1"), "1: own must be a table");
  EXPECT_EQ(errorOf("[own]\na = 6"), "2: five at most");
  EXPECT_EQ(errorOf("[own]\na = 1\nb = 1\nc = 1"), "1: too many");
}

TEST(Archive, AnUnknownKeyIsReportedFirst) {
  EXPECT_EQ(errorOf("count = 0\nnam = 'x'"), "2: the file has no key nam; the nearest is name");
  EXPECT_EQ(errorOf("count = 0\n[[item]]\nw = 1"), "1: count must be from 1 to 9")
      << "of the innermost table";
}

}  // namespace tilestep::model::archive_test
