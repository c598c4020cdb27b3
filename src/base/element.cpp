// SPDX-License-Identifier: Apache-2.0
#include "base/element.h"

#include <array>

namespace tilestep {
namespace {

struct Entry {
  ElementType type;
  unsigned bytes;
  std::string_view text;
};
constexpr std::array<Entry, 10> kEntries{{{ElementType::f32, 4, "f32"},
                                          {ElementType::f64, 8, "f64"},
                                          {ElementType::f16, 2, "f16"},
                                          {ElementType::bf16, 2, "bf16"},
                                          {ElementType::i8, 1, "i8"},
                                          {ElementType::u8, 1, "u8"},
                                          {ElementType::i32, 4, "i32"},
                                          {ElementType::u32, 4, "u32"},
                                          {ElementType::i64, 8, "i64"},
                                          {ElementType::u64, 8, "u64"}}};

}  // namespace

unsigned bytesOf(ElementType type) {
  return kEntries[static_cast<size_t>(type)].bytes;
}

std::string_view toText(ElementType type) {
  return kEntries[static_cast<size_t>(type)].text;
}

std::optional<ElementType> elementTypeOf(std::string_view text) {
  for (const Entry& entry : kEntries) {
    if (entry.text == text) return entry.type;
  }
  return std::nullopt;
}

}  // namespace tilestep
