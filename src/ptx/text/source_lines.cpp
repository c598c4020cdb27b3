// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/source_lines.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kMaxNumber = 0xffffffff;
// Calls further outward are ignored.
constexpr int kMostFrames = 256;

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

// Reads ", function_name LABEL+4, inlined_at FILE LINE COLUMN", in either order.
std::optional<std::pair<uint32_t, SourceLine>> SourceLines::parseInlining(Cursor& cursor) {
  std::optional<SourceLine> site;
  std::string name;
  while (cursor.accept(',')) {
    const Token token = cursor.peek();
    const std::string_view word = cursor.expectWord("function_name or inlined_at");
    if (word == "inlined_at") {
      site = parseLine(cursor);
    } else if (word == "function_name") {
      name = cursor.expectWord("a label");
      if (cursor.accept('+'))
        name += "+" + std::to_string(cursor.expectInteger("an offset", kMaxNumber));
    } else {
      cursor.fail(token, "a .loc can have function_name and inlined_at, not " + describe(token));
    }
  }
  if (!site) return std::nullopt;
  return std::pair(keyOf(name), *site);
}

uint32_t SourceLines::addFrame(const Frame& frame) {
  frames_.push_back(frame);
  return latest_[keyOf(frame.line)] = static_cast<uint32_t>(frames_.size() - 1);
}

uint32_t SourceLines::frameAt(const SourceLine& line) {
  const auto found = latest_.find(keyOf(line));
  return found == latest_.end() ? addFrame({line}) : found->second;
}

void SourceLines::parse(Cursor& cursor) {
  Frame frame{parseLine(cursor)};
  if (const auto inlining = parseInlining(cursor)) {
    frame.function = inlining->first;
    frame.outer = frameAt(inlining->second);
  } else if (!begin_) {
    begin_ = frame.line;
  }
  current_ = frame.line;
  places_.push_back(addFrame(frame));
}

std::vector<SourceLines::Frame> SourceLines::chainFrom(size_t place) const {
  std::vector<Frame> chain;
  uint32_t frame = places_[place - 1];
  for (int step = 0; step < kMostFrames && frame != kNone; frame = frames_[frame].outer, ++step)
    chain.push_back(frames_[frame]);
  return chain;
}

bool SourceLines::isOwnFile(const Frame& frame) const {
  return begin_ && frame.line.file == begin_->file;
}

uint32_t SourceLines::functionAt(size_t place) const {
  if (place == 0) return 0;
  for (const Frame& frame : chainFrom(place)) {
    if (isOwnFile(frame)) return frame.function;
  }
  return 0;
}

SourceLine SourceLines::shownLine(size_t place, const std::set<uint32_t>& shown) const {
  if (place == 0) return {};
  const std::vector<Frame> chain = chainFrom(place);
  for (const Frame& frame : chain) {
    if (!isOwnFile(frame)) continue;
    if (frame.line.line >= begin_->line || shown.contains(frame.function)) return frame.line;
  }
  return chain.back().line;
}

}  // namespace tilestep::ptx
