// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

/// A piece of a line of source.
struct CoveredPiece {
  std::string text;
  bool covered = false;  ///< An open question covers it, because it would tell the answer.
  bool operator==(const CoveredPiece&) const = default;
};

/// The line, cut where one of the texts `hidden` begins and ends in it.
[[nodiscard]] std::vector<CoveredPiece> coveredPieces(std::string_view line,
                                                      const std::vector<std::string>& hidden);

/// The line with "…" in the place of each covered piece.
[[nodiscard]] std::string withoutCovered(std::string_view line,
                                         const std::vector<std::string>& hidden);

}  // namespace tilestep::model
