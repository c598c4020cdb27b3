// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/dim3.h"
#include "base/element.h"

namespace tilestep {
namespace result_test {

Result<int> half(int value) {
  if (value % 2 != 0) return requestError(std::to_string(value) + " is odd");
  return value / 2;
}

struct Base {
  virtual ~Base() = default;
  [[nodiscard]] virtual int number() const { return 1; }
};
struct Derived : Base {
  [[nodiscard]] int number() const override { return 2; }
};
Result<std::unique_ptr<Base>> makeDerived() {
  return std::make_unique<Derived>();
}

TEST(Result, HoldsAValueOrAnError) {
  const auto good = half(8);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 4);
  const auto bad = half(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message, "7 is odd");
  EXPECT_EQ(bad.error().kind, ErrorKind::request);
}

TEST(Result, TakesConvertibleAndMoveOnlyValues) {
  auto made = makeDerived();
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)->number(), 2);
  const std::unique_ptr<Base> taken = std::move(made).value();
  EXPECT_EQ(taken->number(), 2);
  const Result<std::string> text = "from a literal";
  EXPECT_EQ(text->size(), 14U);
}

TEST(Result, StatusIsGoodUntilToldOtherwise) {
  const Status good;
  EXPECT_TRUE(good.ok());
  const Status bad = workError("no");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().kind, ErrorKind::work);
}

TEST(Dim3, CountDoesNotOverflow32Bits) {
  EXPECT_EQ((Dim3{65536, 65536, 2}.count()), uint64_t{1} << 33);
  EXPECT_EQ(ceilDiv(0, 4), 0U);
  EXPECT_EQ(ceilDiv(1, 4), 1U);
  EXPECT_EQ(ceilDiv(8, 4), 2U);
  EXPECT_EQ(ceilDiv(~uint64_t{0}, 2), uint64_t{1} << 63);
}

TEST(Element, NamesAndSizesAgree) {
  for (int i = 0; i <= static_cast<int>(ElementType::u64); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(elementTypeOf(toText(type)), type);
    // Every name ends in its bits.
    const auto name = std::string(toText(type));
    const auto digits = name.substr(name.find_first_of("0123456789"));
    EXPECT_EQ(bytesOf(type) * 8, static_cast<unsigned>(std::stoi(digits))) << name;
  }
  EXPECT_EQ(elementTypeOf("f8"), std::nullopt);
  EXPECT_EQ(elementTypeOf(""), std::nullopt);
}

}  // namespace result_test
}  // namespace tilestep
