// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
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

/// The twin of several pictures for each compiler that they were made with: what a kernel's PTX
/// decides, such as the order of its loads, is right in one way for each of them.
using TwinsByCompiler = std::map<std::string, TextTwin>;

/// A file keeps each panel's lines once for all compilers that agree on them, and once for all
/// steps in a row. Reading a file that is not there gives no twins.
[[nodiscard]] TwinsByCompiler readTwins(const std::filesystem::path& file);
void writeTwins(const std::filesystem::path& file, const TwinsByCompiler& twins);

/// What differs, a line each, empty where nothing does: texts must be equal and may stand one field
/// off, since versions of Dear ImGui pad a little differently. For the same reason the last lines
/// of the measures, which scroll, may be missing.
[[nodiscard]] std::vector<std::string> differences(const TextTwin& kept, const TextTwin& made);

/// The panels on which all compilers agree.
[[nodiscard]] TextTwin agreed(const TwinsByCompiler& twins);
/// The panels of `twin` that `wanted` has too.
[[nodiscard]] TextTwin onlyPanelsOf(const TextTwin& wanted, const TextTwin& twin);

/// "clang 14" of "clang 14.0.6"; "nvrtc 13.0" stays: versions that give the same PTX.
[[nodiscard]] std::string twinCompiler(const std::string& description);

}  // namespace tilestep::support
