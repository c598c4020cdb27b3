// SPDX-License-Identifier: Apache-2.0
#include "gfx/labels/label_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilestep::gfx {
namespace {

constexpr float kEm = 0.58F;

std::string printed(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Removes the sign of a value that rounds to zero, because "-0.0" is confusing.
std::string unsignedZero(std::string text) {
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  if (zero && !text.empty() && text[0] == '-') text.erase(0, 1);
  return text;
}

}  // namespace

std::string elementName(const std::string& matrix, uint32_t row, uint32_t column) {
  return matrix + "[" + std::to_string(row) + "," + std::to_string(column) + "]";
}

std::string slotName(const std::string& array, uint32_t row, uint32_t column) {
  return array + "[" + std::to_string(row) + "][" + std::to_string(column) + "]";
}

std::string shortText(float value) {
  const double size = std::abs(double(value));
  if (std::isnan(value)) return "";
  if (size < 1e5 && value == std::floor(value)) return unsignedZero(printed("%.0f", value));
  if (size < 9.995) return unsignedZero(printed("%.2f", value));
  if (size < 99.95) return unsignedZero(printed("%.1f", value));
  return size < 1e5 ? printed("%.0f", value) : printed("%.1e", value);
}

std::string shorterText(float value) {
  const double size = std::abs(double(value));
  if (std::isnan(value)) return "";
  if (size < 1000 && value == std::floor(value)) return unsignedZero(printed("%.0f", value));
  if (size < 9.95) return unsignedZero(printed("%.1f", value));
  return size < 1000 ? printed("%.0f", value) : printed("%.0e", value);
}

std::string exactText(float value) {
  return printed("%.9g", value);
}

namespace {

/// The value of a cell in a picture that has one value for each cell of `area`.
std::optional<float> valueIn(const CellRect& area, const Picture* picture, uint32_t row,
                             uint32_t column) {
  if (picture == nullptr || picture->rows != area.rows || picture->columns != area.columns)
    return std::nullopt;
  if (row < area.row || row - area.row >= area.rows) return std::nullopt;
  if (column < area.column || column - area.column >= area.columns) return std::nullopt;
  const size_t i = size_t{row - area.row} * area.columns + (column - area.column);
  if (i >= picture->values.size()) return std::nullopt;
  return picture->values[i];
}

}  // namespace

std::optional<float> valueAt(const MatrixPanel& panel, uint32_t row, uint32_t column) {
  if (row >= panel.rows || column >= panel.columns) return std::nullopt;
  const Detail& detail = panel.detail;
  if (const auto value = valueIn(detail.area, detail.picture.get(), row, column)) return value;
  const CellRect whole{0, 0, panel.rows, panel.columns};
  if (const auto value = valueIn(whole, panel.picture.get(), row, column)) return value;
  if (!panel.source) return std::nullopt;
  float value = 0;
  panel.source->read(row, column, 1, &value);
  return value;
}

size_t characters(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

float guessedWidth(const std::string& text, float height) {
  return kEm * height * float(characters(text));
}

float heightFor(const std::string& text, float width) {
  return width / (kEm * float(std::max<size_t>(1, characters(text))));
}

bool meets(const Box& box, Point from, Point to, float width) {
  // The range of positions along the line (0 to 1) between the box's sides, or between its top and
  // bottom.
  float first = 0, last = 1;
  const auto cut = [&](float start, float way, float low, float high) {
    if (way == 0) {
      if (start < low || start > high) last = -1;
      return;
    }
    const float a = (low - start) / way, b = (high - start) / way;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  };
  const float half = width / 2;
  cut(from.x, to.x - from.x, box.x - half, box.x + box.width + half);
  cut(from.y, to.y - from.y, box.y - half, box.y + box.height + half);
  return first <= last;
}

std::vector<std::string> wrapped(const std::string& text, float height, float width) {
  std::vector<std::string> lines;
  size_t at = 0;
  while (at < text.size()) {
    const size_t space = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, space - at);
    at = space + 1;
    if (word.empty()) continue;
    if (!lines.empty() && guessedWidth(lines.back() + " " + word, height) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace tilestep::gfx
