// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/drawn_text.h"

namespace tilestep::support {

/// The texts of one line of a panel, joined, and where the first of them stands.
struct TwinLine {
  int x = 0, y = 0;  ///< In fields of 16 pixels from the window's upper left corner.
  std::string text;
  bool operator==(const TwinLine&) const = default;
};

struct TwinPanel {
  std::string name;
  std::vector<TwinLine> lines;  ///< In the order in which they were drawn.
};

/// All that the window says in one picture.
struct TwinStep {
  std::string name;
  std::vector<TwinPanel> panels;
};
using TextTwin = std::vector<TwinStep>;

[[nodiscard]] TwinStep twinOf(const std::string& name, const std::vector<DrawnText>& texts);

/// A file keeps a panel's lines once for all steps in a row. Reading a file that is not there gives
/// no steps.
[[nodiscard]] TextTwin readTwin(const std::filesystem::path& file);
void writeTwin(const std::filesystem::path& file, const TextTwin& twin);

/// The differences, a line each, empty if there are none: texts must be equal and may stand one
/// field off, since versions of Dear ImGui pad a little differently. For the same reason the last
/// lines of the measures, which scroll, may be missing.
[[nodiscard]] std::vector<std::string> differences(const TextTwin& kept, const TextTwin& made);

}  // namespace tilestep::support
