// SPDX-License-Identifier: Apache-2.0
#include "features/program/fixes.h"

#include "features/program/code_text.h"
#include "features/program/fixes_device.h"
#include "features/program/fixes_host.h"

namespace tilestep::features {
namespace {

using lab::ProgramFinding;

bool isRaceInShared(const ProgramFinding& finding) {
  return finding.message.find("a __syncthreads() is missing") != std::string::npos &&
         finding.otherLine > 0;
}

bool needsMoreShared(const ProgramFinding& finding) {
  return finding.kind == "launch-failed" &&
         finding.message.find("needs cudaFuncSetAttribute") != std::string::npos;
}

/// Includes a small grid, which may be intended and is only a remark.
bool isMendable(const ProgramFinding& finding) {
  return finding.isFault || finding.kind == "grid-too-small";
}

}  // namespace

std::vector<std::string> changesBetween(std::string_view before, std::string_view after,
                                        uint32_t& first) {
  const Lines from = linesOf(before), to = linesOf(after);
  std::vector<std::string> changes;
  size_t a = 0, b = 0;
  first = 0;
  const auto note = [&](const std::string& line) {
    if (first == 0) first = static_cast<uint32_t>(b + 1);
    changes.push_back(line);
  };
  while (a < from.size() || b < to.size()) {
    if (a < from.size() && b < to.size() && from[a] == to[b]) {
      ++a;
      ++b;
      continue;
    }
    // Find the nearest line that the two texts have in common.
    size_t gone = from.size() - a, come = to.size() - b;
    for (size_t sum = 1; sum < gone + come; ++sum)
      for (size_t i = 0; i <= sum; ++i)
        if (a + i < from.size() && b + sum - i < to.size() && from[a + i] == to[b + sum - i]) {
          gone = i;
          come = sum - i;
          i = sum;
        }
    for (size_t i = 0; i < gone; ++i) note("- " + from[a + i]);
    for (size_t i = 0; i < come; ++i) note("+ " + to[b + i]);
    a += gone;
    b += come;
  }
  return changes;
}

std::optional<CodeFix> fixFor(const ProgramFinding& finding, std::string_view text) {
  if (!isMendable(finding)) return std::nullopt;
  if (isRaceInShared(finding)) return addBarrier(finding, text);
  if (finding.kind == "uninitialised-read" && !finding.kernel.empty())
    return setVariable(finding, text);
  if (finding.kind == "grid-too-small") return roundUp(finding, text);
  if (needsMoreShared(finding)) return allowShared(finding, text);
  if (finding.kind == "unchecked-error") return askForError(finding, text);
  if (finding.kind == "wrong-size") return countBytes(finding, text);
  if (finding.kind == "out-of-bounds" && !finding.kernel.empty()) return addGuard(finding, text);
  return std::nullopt;
}

std::string hintFor(const ProgramFinding& finding) {
  if (!isMendable(finding)) return {};
  if (isRaceInShared(finding))
    return "Which threads write the values that other threads read here, and what makes threads "
           "wait?";
  if (finding.kind == "uninitialised-read" && !finding.kernel.empty())
    return "Which code should have set this value, and when?";
  if (finding.kind == "grid-too-small")
    return "How many threads does the grid have, and how many elements are there?";
  if (needsMoreShared(finding)) return "How much shared memory may a block use by default?";
  if (finding.kind == "unchecked-error")
    return "Would the program notice if this launch were refused?";
  if (finding.kind == "wrong-size") return "Is this a number of elements or of bytes?";
  if (finding.kind == "out-of-bounds" && !finding.kernel.empty())
    return "Which threads have no element to process, and what stops them from executing this "
           "line?";
  return {};
}

}  // namespace tilestep::features
