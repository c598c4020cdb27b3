// SPDX-License-Identifier: Apache-2.0
#include "features/source/ptx_view.h"

#include <algorithm>
#include <string_view>

#include "compile/front_matter/entries.h"
#include "ptx/text/parser.h"

namespace tilestep::features {
namespace {

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view trimmedLine(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Replaces each tab by two blanks.
std::string spaced(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\t')
      out += "  ";
    else if (c != '\r')
      out += c;
  }
  return out;
}

/// The entry with that name, or the only entry; otherwise null.
const ptx::Function* entryOf(const ptx::Module& module, const std::string& name) {
  const ptx::Function* only = nullptr;
  size_t entries = 0;
  for (const ptx::Function& function : module.functions) {
    if (!function.isEntry || function.isExtern) continue;
    if (function.name == compile::moduleNameOf(name)) return &function;
    ++entries;
    only = &function;
  }
  return entries == 1 ? only : nullptr;
}

/// Sums the counts of the instructions of each line.
void addLines(const TracedKernel& side, RunCounts& counts) {
  for (const auto& [instruction, count] : counts.byInstruction)
    if (const auto line = side.lines.find(instruction);
        line != side.lines.end() && line->second > 0)
      counts.byLine[line->second] += count;
}

}  // namespace

RunCounts runCountsOf(const TracedKernel& side) {
  RunCounts counts;
  const trace::BlockTrace& recording = side.replay->recording();
  for (size_t i = 0; i < recording.size(); ++i)
    ++counts.byInstruction[recording.event(i).instruction];
  addLines(side, counts);
  return counts;
}

RunCounts runCountsOf(const TracedStep& step) {
  RunCounts counts;
  const trace::Replay& replay = *step.side->replay;
  for (size_t i = step.first; i <= step.index; ++i)
    for (const trace::Replay::Piece& piece : replay.piecesOf(step.grain, i))
      ++counts.byInstruction[replay.recording().event(piece.event).instruction];
  addLines(*step.side, counts);
  return counts;
}

std::shared_ptr<const PtxView> ptxViewOf(const std::string& text, const compile::KernelSpec& spec) {
  const Result<ptx::Module> module = ptx::parse(text);
  if (!module) return nullptr;
  const ptx::Function* entry = entryOf(*module, spec.entry);
  if (entry == nullptr || entry->body.empty()) return nullptr;
  std::map<uint32_t, uint32_t> at;  // Index of the instruction, by line of the PTX text.
  for (size_t i = 0; i < entry->body.size(); ++i)
    at.try_emplace(entry->body[i].ptxLine, static_cast<uint32_t>(i));
  const std::vector<std::string_view> lines = linesOf(text);
  size_t first = std::min<size_t>(at.begin()->first, lines.size());
  while (first > 0 && lines[first - 1].find(".entry") == std::string_view::npos) --first;
  if (first > 0) --first;
  auto view = std::make_shared<PtxView>();
  for (size_t i = first; i < lines.size(); ++i) {
    const std::string_view line = trimmedLine(lines[i]);
    const auto instruction = at.find(static_cast<uint32_t>(i + 1));
    if (line.empty() || line.starts_with(".loc") || line.starts_with("//")) continue;
    PtxView::Line shown{spaced(lines[i]), PtxView::kNone, 0};
    if (instruction != at.end()) {
      shown.instruction = instruction->second;
      shown.source = entry->body[instruction->second].outerLine.line;
    }
    view->lines.push_back(std::move(shown));
    if (line == "}" && i + 1 > at.rbegin()->first) break;
  }
  return view;
}

}  // namespace tilestep::features
