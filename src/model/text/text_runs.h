// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

struct TextRun {
  enum class Look : uint8_t { plain, strong, code };
  Look look = Look::plain;
  std::string text;
  bool operator==(const TextRun&) const = default;
};

/// Splits "**bold** and `code`" into runs. A mark without a closing mark remains part of the text.
[[nodiscard]] std::vector<TextRun> textRuns(std::string_view text);

}  // namespace tilestep::model
