// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// Which brackets of a text close which, worked out in one pass. Each branch of an `#if` begins
/// with the brackets that are open in front of it, so a `{` that stands in several branches is
/// closed by the one `}` behind them. What `#if 0` switches off has no brackets.
class BracketPairs {
 public:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  explicit BracketPairs(const CudaTokens& tokens);

  /// One past the bracket that closes the one at `open`; the number of tokens where none does.
  [[nodiscard]] size_t behind(size_t open) const {
    return close_[open] == kNone ? close_.size() : close_[open] + 1;
  }
  [[nodiscard]] bool isClosed(size_t open) const { return close_[open] != kNone; }
  /// Whether the bracket is left open at the end of its branch, and closed behind the `#endif`.
  [[nodiscard]] bool isShared(size_t open) const { return same_[open] != kNone; }
  /// The innermost bracket that is open around the token at `at`; kNone: there is none.
  [[nodiscard]] size_t around(size_t at) const { return around_[at]; }
  /// Whether `#if 0` switches the token off.
  [[nodiscard]] bool isDisabled(size_t at) const { return disabled_[at]; }
  /// Whether every bracket has its partner and all branches of each `#if` leave as many open.
  [[nodiscard]] bool allMatch() const { return allMatch_; }

 private:
  /// An `#if` that is not ended yet; brackets are given by the innermost one that is open.
  struct Condition {
    size_t before = kNone;           ///< In front of the `#if`.
    std::vector<size_t> branchEnds;  ///< At the end of each branch that changed it.
    bool disabled = false;           ///< The current branch is that of `#if 0`.
    bool insideDisabled = false;     ///< All of it is switched off from outside.
  };

  void directive(std::string_view text);
  void endBranch();
  void endCondition();
  void bracket(const CudaTokens& tokens, size_t at);
  void pair(size_t one, size_t other);
  [[nodiscard]] bool isOff() const;

  std::vector<size_t> close_, around_;
  std::vector<size_t> depth_;  ///< Nesting of an opening bracket, from 1.
  std::vector<size_t>
      same_;  ///< For an opening bracket the one of a later branch that stands for it.
  std::vector<bool> disabled_;
  std::vector<Condition> conditions_;
  size_t innermost_ = kNone;
  bool allMatch_ = true;
};

}  // namespace tilestep::compile
