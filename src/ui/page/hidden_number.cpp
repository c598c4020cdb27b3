// SPDX-License-Identifier: Apache-2.0
#include "ui/page/hidden_number.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

#include "base/figure.h"
#include "base/number_text.h"

namespace tilestep::ui {
namespace {

constexpr std::string_view kTimes = "×";

/// Whether the number from `from` to `end` is a count, that is, whether a sign or a word follows
/// it.
bool counts(std::string_view text, size_t from, size_t end) {
  const bool whole = (from == 0 || (!isDigit(text[from - 1]) && text[from - 1] != '.' &&
                                    text[from - 1] != ',' && text[from - 1] != '[')) &&
                     (end == text.size() || (!isDigit(text[end]) && text[end] != '.'));
  if (!whole) return false;
  const std::string_view after = text.substr(end);
  const bool word =
      after.size() > 1 && after[0] == ' ' && std::isalpha(static_cast<unsigned char>(after[1]));
  return after.starts_with(kTimes) || word;
}

void hide(std::string& text, const std::string& digits) {
  for (size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1))
    if (counts(text, at, at + digits.size()))
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at), digits.size(), '?');
}

}  // namespace

void hideNumber(gfx::Drawing& drawing, double number) {
  if (number < 0 || number > 1e15 || number != std::floor(number)) return;
  const std::string digits = grouped(static_cast<uint64_t>(number));
  for (gfx::Shape& shape : drawing.shapes)
    if (auto* text = std::get_if<gfx::TextShape>(&shape.what)) hide(text->text, digits);
}

}  // namespace tilestep::ui
