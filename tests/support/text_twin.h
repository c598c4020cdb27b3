// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/drawn_text.h"

namespace tilestep::support {

/// The texts of one line of a panel, joined, and the position of the first.
struct TwinLine {
  int x = 0, y = 0;  ///< In fields of 16 pixels, from the window's upper left corner.
  std::string text;
  bool operator==(const TwinLine&) const = default;
};

struct TwinPanel {
  std::string name;
  std::vector<TwinLine> lines;  ///< In drawing order.
};

/// All texts of the window in one picture.
struct TwinStep {
  std::string name;
  std::vector<TwinPanel> panels;
};
using TextTwin = std::vector<TwinStep>;

[[nodiscard]] TwinStep twinOf(const std::string& name, const std::vector<DrawnText>& texts);

/// A file stores a panel's lines once for all consecutive steps with the same lines. Reading a
/// missing file gives no steps.
[[nodiscard]] TextTwin readTwin(const std::filesystem::path& file);
void writeTwin(const std::filesystem::path& file, const TextTwin& twin);

/// The differences, one per line; empty if there are none. Texts must be equal, but may be one
/// field away, because versions of Dear ImGui use slightly different padding. For the same reason,
/// the last lines of the measures, which scroll, may be missing.
[[nodiscard]] std::vector<std::string> differences(const TextTwin& kept, const TextTwin& made);

}  // namespace tilestep::support
