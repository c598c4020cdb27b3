// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/source_lines.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kMaxNumber = 0xffffffff;
// A chain longer than this is a circle.
constexpr int kMaxChain = 256;

}  // namespace

SourceLine SourceLines::parseLine(Cursor& cursor) {
  SourceLine line;
  line.file = static_cast<uint32_t>(cursor.expectInteger("a file number", kMaxNumber));
  line.line = static_cast<uint32_t>(cursor.expectInteger("a line number", kMaxNumber));
  line.column = static_cast<uint32_t>(cursor.expectInteger("a column number", kMaxNumber));
  return line;
}

uint32_t SourceLines::keyOf(const std::string& name) {
  return functions_.try_emplace(name, static_cast<uint32_t>(functions_.size()) + 1).first->second;
}

// ", function_name LABEL+4, inlined_at FILE LINE COLUMN", in either order.
std::optional<SourceLines::Site> SourceLines::parseInlining(Cursor& cursor) {
  std::optional<Site> site;
  std::string name;
  while (cursor.accept(',')) {
    const Token token = cursor.peek();
    const std::string_view word = cursor.expectWord("function_name or inlined_at");
    if (word == "inlined_at") {
      site = Site{parseLine(cursor)};
    } else if (word == "function_name") {
      name = cursor.expectWord("a label");
      if (cursor.accept('+'))
        name += "+" + std::to_string(cursor.expectInteger("an offset", kMaxNumber));
    } else {
      cursor.fail(token, "a .loc has function_name and inlined_at, not " + describe(token));
    }
  }
  if (site) site->function = keyOf(name);
  return site;
}

void SourceLines::parse(Cursor& cursor) {
  const SourceLine line = parseLine(cursor);
  if (const std::optional<Site> site = parseInlining(cursor)) {
    inlinedAt_[keyOf(line)] = *site;
  } else {
    inlinedAt_.erase(keyOf(line));
    if (!begin_) begin_ = line;
  }
  current_ = line;
  chains_.push_back(followOutward(line));
}

std::vector<SourceLines::Frame> SourceLines::followOutward(SourceLine line) const {
  std::vector<Frame> chain;
  for (int step = 0; step < kMaxChain; ++step) {
    const auto found = inlinedAt_.find(keyOf(line));
    const bool isInlined = found != inlinedAt_.end();
    chain.push_back({line, isInlined ? found->second.function : 0});
    if (!isInlined) break;
    line = found->second.line;
  }
  return chain;
}

bool SourceLines::isOwnFile(const Frame& frame) const {
  return begin_ && frame.line.file == begin_->file;
}

uint32_t SourceLines::functionAt(size_t place) const {
  if (place == 0) return 0;
  for (const Frame& frame : chains_[place - 1]) {
    if (isOwnFile(frame)) return frame.function;
  }
  return 0;
}

SourceLine SourceLines::shownLine(size_t place, const std::set<uint32_t>& shown) const {
  if (place == 0) return {};
  const std::vector<Frame>& chain = chains_[place - 1];
  for (const Frame& frame : chain) {
    if (!isOwnFile(frame)) continue;
    if (frame.line.line >= begin_->line || shown.contains(frame.function)) return frame.line;
  }
  return chain.back().line;
}

}  // namespace tilestep::ptx
