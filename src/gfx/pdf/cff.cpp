// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/cff.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace tilestep::gfx {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

std::string bigEndian(uint64_t value, int count) {
  std::string text;
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8)
    text += static_cast<char>(value >> shift & 0xFF);
  return text;
}

/// Items with their offsets before them.
std::string indexOf(const std::vector<std::string>& items) {
  std::string index = bigEndian(items.size(), 2);
  if (items.empty()) return index;
  index += bytes({4});
  uint64_t offset = 1;
  index += bigEndian(offset, 4);
  for (const std::string& item : items) index += bigEndian(offset += item.size(), 4);
  for (const std::string& item : items) index += item;
  return index;
}

/// Always five bytes, so that a dictionary's length does not depend on the offsets in it.
std::string dictNumber(size_t value) {
  return bytes({29}) + bigEndian(value, 4);
}

/// A glyph's program (Adobe Technical Note 5177).
class GlyphProgram {
 public:
  GlyphProgram(const std::vector<OutlineStep>& outline, float advance) {
    constexpr int kMove = 21, kLine = 5, kCurve = 8, kEnd = 14;
    add(units(advance));  // The first operator takes the width, too.
    for (const OutlineStep& step : outline) {
      if (step.kind == OutlineStep::Kind::curve) {
        addWay(step.first);
        addWay(step.second);
      }
      addWay(step.to);
      code_ += bytes({step.kind == OutlineStep::Kind::move   ? kMove
                      : step.kind == OutlineStep::Kind::line ? kLine
                                                             : kCurve});
    }
    code_ += bytes({kEnd});
  }
  std::string take() { return std::move(code_); }

 private:
  static int units(float ems) {
    return static_cast<int>(std::clamp(std::round(ems * kUnitsPerEm), -16000.0F, 16000.0F));
  }
  void addWay(Point to) {
    const int x = units(to.x), y = units(to.y);
    add(x - x_);
    add(y - y_);
    x_ = x;
    y_ = y;
  }
  void add(int value) {
    if (value >= -107 && value <= 107)
      code_ += bytes({value + 139});
    else
      code_ += bytes({28}) + bigEndian(static_cast<uint16_t>(value), 2);
  }

  std::string code_;
  int x_ = 0, y_ = 0;
};

}  // namespace

std::string cffOf(const OutlineFont& font, std::span<const int> glyphs) {
  std::vector<std::string> programs;
  for (const int glyph : glyphs)
    programs.push_back(GlyphProgram(font.outlineOf(glyph), font.advanceOf(glyph)).take());
  const size_t count = programs.size();
  const std::string before = bytes({1, 0, 4, 4}) + indexOf({font.name()});
  const std::string after = indexOf({"Adobe", "Identity"}) + indexOf({});
  // The numbers of the glyphs after the first one, and the font dictionary that all of them use.
  const std::string charset =
      count > 1 ? bytes({2}) + bigEndian(1, 2) + bigEndian(count - 2, 2) : bytes({0});
  const std::string select = bytes({3, 0, 1, 0, 0, 0}) + bigEndian(count, 2);
  const std::string charStrings = indexOf(programs);
  constexpr int kFirstOwnString = 391;
  const auto topDict = [&](size_t start) {
    const size_t selectAt = start + charset.size(), programsAt = selectAt + select.size();
    return dictNumber(kFirstOwnString) + dictNumber(kFirstOwnString + 1) + dictNumber(0) +
           bytes({12, 30}) + dictNumber(count) + bytes({12, 34}) + dictNumber(start) + bytes({15}) +
           dictNumber(selectAt) + bytes({12, 37}) + dictNumber(programsAt) + bytes({17}) +
           dictNumber(programsAt + charStrings.size()) + bytes({12, 36});
  };
  const size_t start = before.size() + indexOf({topDict(0)}).size() + after.size();
  // Its private dictionary is empty.
  const std::string fontDict = dictNumber(0) + dictNumber(start) + bytes({18});
  return before + indexOf({topDict(start)}) + after + charset + select + charStrings +
         indexOf({fontDict});
}

}  // namespace tilestep::gfx
