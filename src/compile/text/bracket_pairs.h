// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// Matches brackets in one pass. Each branch of an `#if` starts with the brackets that are open
/// before the `#if`, so a `{` that occurs in several branches is closed by one `}` after them. Code
/// in `#if 0` is ignored.
class BracketPairs {
 public:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  explicit BracketPairs(const CudaTokens& tokens);

  /// The token after the bracket that closes the one at `open`; the number of tokens if not closed.
  [[nodiscard]] size_t behind(size_t open) const {
    return close_[open] == kNone ? close_.size() : close_[open] + 1;
  }
  [[nodiscard]] bool isClosed(size_t open) const { return close_[open] != kNone; }
  /// Whether the bracket is opened in a branch and closed after the `#endif`.
  [[nodiscard]] bool isShared(size_t open) const { return same_[open] != kNone; }
  /// The innermost bracket around the token at `at`; kNone if there is none.
  [[nodiscard]] size_t around(size_t at) const { return around_[at]; }
  /// Whether the token is disabled by `#if 0`.
  [[nodiscard]] bool isDisabled(size_t at) const { return disabled_[at]; }
  /// Whether all brackets are closed, and all branches of each `#if` leave equally many open.
  [[nodiscard]] bool allMatch() const { return allMatch_; }

 private:
  /// An `#if` without its `#endif` so far. A state is represented by the innermost open bracket.
  struct Condition {
    size_t before = kNone;           ///< State before the `#if`.
    std::vector<size_t> branchEnds;  ///< State at the end of each branch that changed it.
    bool disabled = false;           ///< The current branch is the first branch of `#if 0`.
    bool insideDisabled = false;     ///< The whole `#if` is in a disabled branch.
  };

  void directive(std::string_view text);
  void endBranch();
  void endCondition();
  void bracket(const CudaTokens& tokens, size_t at);
  void pair(size_t one, size_t other);
  [[nodiscard]] bool isOff() const;

  std::vector<size_t> close_, around_;
  std::vector<size_t> depth_;  ///< Nesting of an opening bracket, from 1.
  std::vector<size_t> same_;   ///< For an opening bracket, its equivalent in a later branch.
  std::vector<bool> disabled_;
  std::vector<Condition> conditions_;
  size_t innermost_ = kNone;
  bool allMatch_ = true;
};

}  // namespace tilestep::compile
