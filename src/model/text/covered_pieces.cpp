// SPDX-License-Identifier: Apache-2.0
#include "model/text/covered_pieces.h"

namespace tilestep::model {

std::vector<CoveredPiece> coveredPieces(std::string_view line,
                                        const std::vector<std::string>& hidden) {
  std::vector<bool> covered(line.size());
  for (const std::string& text : hidden)
    for (size_t at = line.find(text); !text.empty() && at != std::string_view::npos;
         at = line.find(text, at + 1))
      for (size_t i = 0; i < text.size(); ++i) covered[at + i] = true;
  std::vector<CoveredPiece> pieces;
  for (size_t i = 0; i < line.size(); ++i) {
    if (pieces.empty() || pieces.back().covered != covered[i]) pieces.push_back({{}, covered[i]});
    pieces.back().text += line[i];
  }
  return pieces;
}

std::string withoutCovered(std::string_view line, const std::vector<std::string>& hidden) {
  std::string text;
  for (const CoveredPiece& piece : coveredPieces(line, hidden))
    text += piece.covered ? "…" : piece.text;
  return text;
}

}  // namespace tilestep::model
