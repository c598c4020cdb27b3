// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace tilestep::model {

/// A one-click remedy for the problem in a notice: sets a tunable to a legal value, or runs a
/// launch that failed on a GPU in the interpreter.
struct Fix {
  std::string tunable;  ///< Empty for running the launch in the interpreter.
  int64_t value = 0;
  bool operator==(const Fix&) const = default;
};

/// The recorded point nearest to the one that was requested.
struct RecordedPlace {
  std::map<std::string, int64_t> sizes, tunables;
  bool operator==(const RecordedPlace&) const = default;
};

/// A message for the user, in one sentence. The last good picture remains visible.
struct Notice {
  enum class Kind : uint8_t { info, warning, error };
  Kind kind = Kind::error;
  /// The subject: "TILE_WIDTH", "scene", "measure", "worker", …. A new notice replaces the notice
  /// about the same subject.
  std::string about;
  std::string text;    ///< One sentence.
  std::string source;  ///< A compile error's location and source line; otherwise empty.
  std::optional<Fix> fix;
  std::vector<uint32_t> lines;  ///< The lines of the kernel's source to which it refers.
  std::optional<RecordedPlace> nearest;
  bool operator==(const Notice&) const = default;
};

/// The text of Notice::source for an error; empty if the error has no location.
[[nodiscard]] inline std::string placeOf(const Error& error) {
  if (!error.where) return {};
  std::string text = error.where->file + ":" + std::to_string(error.where->line);
  if (!error.sourceLine.empty()) text += "\n" + error.sourceLine;
  return text;
}

}  // namespace tilestep::model
