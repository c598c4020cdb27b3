// SPDX-License-Identifier: Apache-2.0
#include "compile/text/bracket_pairs.h"

#include <string>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

/// The beginning of a directive, without whitespace: "#if0".
std::string packed(std::string_view directive) {
  constexpr size_t kEnough = 12;
  std::string text;
  for (const char c : directive) {
    if (text.size() == kEnough) break;
    if (c != ' ' && c != '\t' && c != '\r') text += c;
  }
  return text.starts_with("%:") ? "#" + text.substr(2) : text;
}

char closingOf(const CudaToken& open) {
  return open.is("(") ? ')' : open.is("[") ? ']' : '}';
}

}  // namespace

BracketPairs::BracketPairs(const CudaTokens& tokens)
    : close_(tokens.size(), kNone),
      around_(tokens.size(), kNone),
      depth_(tokens.size(), 0),
      same_(tokens.size(), kNone),
      disabled_(tokens.size(), false) {
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind == Kind::directive) directive(tokens[at].text);
    around_[at] = innermost_;
    disabled_[at] = isOff();
    if (!isOff()) bracket(tokens, at);
  }
  allMatch_ = allMatch_ && conditions_.empty() && innermost_ == kNone;
  for (size_t at = tokens.size(); at-- > 0;) {
    if (close_[at] != kNone || same_[at] == kNone) continue;
    // If branches do not match, the equivalent bracket may be closed before this bracket.
    const size_t close = close_[same_[at]];
    if (close == kNone || close > at)
      close_[at] = close;
    else
      allMatch_ = false;
  }
}

bool BracketPairs::isOff() const {
  return !conditions_.empty() && (conditions_.back().disabled || conditions_.back().insideDisabled);
}

void BracketPairs::directive(std::string_view text) {
  const std::string start = packed(text);
  if (start.starts_with("#if")) {
    const bool zero = start == "#if0" || start.starts_with("#if0/");
    conditions_.push_back({innermost_, {}, zero, isOff()});
  } else if (start.starts_with("#el")) {
    if (conditions_.empty()) {
      allMatch_ = false;
      return;
    }
    endBranch();
    innermost_ = conditions_.back().before;
    conditions_.back().disabled = false;
  } else if (start.starts_with("#endif")) {
    if (conditions_.empty()) {
      allMatch_ = false;
      return;
    }
    endBranch();
    endCondition();
  }
}

void BracketPairs::endBranch() {
  Condition& condition = conditions_.back();
  if (innermost_ != condition.before) condition.branchEnds.push_back(innermost_);
}

/// Continues with the state of the last branch that changed it.
void BracketPairs::endCondition() {
  const Condition condition = std::move(conditions_.back());
  conditions_.pop_back();
  innermost_ = condition.before;
  if (condition.branchEnds.empty()) return;
  innermost_ = condition.branchEnds.back();
  for (const size_t end : condition.branchEnds) pair(end, innermost_);
}

/// Makes the brackets equivalent that are open at the ends of two branches.
void BracketPairs::pair(size_t one, size_t other) {
  while (one != other) {
    if (one == kNone || other == kNone || depth_[one] != depth_[other]) {
      allMatch_ = false;
      return;
    }
    same_[one] = other;
    one = around_[one];
    other = around_[other];
  }
}

void BracketPairs::bracket(const CudaTokens& tokens, size_t at) {
  if (isOpen(tokens[at])) {
    depth_[at] = innermost_ == kNone ? 1 : depth_[innermost_] + 1;
    innermost_ = at;
  } else if (isClose(tokens[at])) {
    if (innermost_ == kNone) {
      allMatch_ = false;
      return;
    }
    if (closingOf(tokens[innermost_]) != tokens[at].text[0]) allMatch_ = false;
    close_[innermost_] = at;
    innermost_ = around_[innermost_];
  }
}

}  // namespace tilestep::compile
