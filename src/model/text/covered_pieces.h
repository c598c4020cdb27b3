// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

struct CoveredPiece {
  std::string text;
  bool covered = false;  ///< Hidden by an open question, because it would reveal the answer.
  bool operator==(const CoveredPiece&) const = default;
};

/// The line, split at the beginning and the end of each occurrence of a text in `hidden`.
[[nodiscard]] std::vector<CoveredPiece> coveredPieces(std::string_view line,
                                                      const std::vector<std::string>& hidden);

/// The line with "…" in place of each covered piece.
[[nodiscard]] std::string withoutCovered(std::string_view line,
                                         const std::vector<std::string>& hidden);

}  // namespace tilestep::model
