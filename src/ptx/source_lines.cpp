// SPDX-License-Identifier: Apache-2.0
#include "ptx/source_lines.h"

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

// ", function_name LABEL+4, inlined_at FILE LINE COLUMN", in either order.
bool SourceLines::parseInlining(Cursor& cursor, SourceLine& site) {
  bool isInlined = false;
  while (cursor.accept(',')) {
    const Token token = cursor.peek();
    const std::string_view word = cursor.expectWord("function_name or inlined_at");
    if (word == "inlined_at") {
      site = parseLine(cursor);
      isInlined = true;
    } else if (word == "function_name") {
      cursor.expectWord("a label");
      if (cursor.accept('+')) cursor.expectInteger("an offset", kMaxNumber);
    } else {
      cursor.fail(token, "a .loc has function_name and inlined_at, not " + describe(token));
    }
  }
  return isInlined;
}

void SourceLines::parse(Cursor& cursor) {
  const SourceLine line = parseLine(cursor);
  SourceLine site;
  if (parseInlining(cursor, site)) {
    inlinedAt_[keyOf(line)] = site;
  } else {
    inlinedAt_.erase(keyOf(line));
    if (!begin_) begin_ = line;
  }
  current_ = line;
  outermost_ = followOutward(line);
}

SourceLine SourceLines::followOutward(SourceLine line) const {
  for (int step = 0; step < kMaxChain; ++step) {
    if (begin_ && line.file == begin_->file && line.line >= begin_->line) break;
    const auto found = inlinedAt_.find(keyOf(line));
    if (found == inlinedAt_.end()) break;
    line = found->second;
  }
  return line;
}

}  // namespace tilestep::ptx
