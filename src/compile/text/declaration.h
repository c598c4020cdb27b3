// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// A declaration at namespace scope. Positions are token indices.
struct Declaration {
  size_t first = 0;
  size_t end = 0;           ///< One past its last token.
  bool isDevice = false;    ///< Contains a word such as __device__, or a macro for such a word.
  bool isConstant = false;  ///< Contains the word constexpr or consteval.
  bool isFunction = false;  ///< A function with a body.
  bool isType = false;      ///< Defines, declares or renames a type.
  /// The name before the first parameter list.
  std::optional<size_t> name;
  /// The = or the { at which a variable's value begins.
  std::optional<size_t> value;
};

/// Reads declarations. The brackets must match; `partner` is the result of matchBrackets(). The
/// tokens and `partner` must outlive this object.
class DeclarationReader {
 public:
  DeclarationReader(const CudaTokens& tokens, const std::vector<size_t>& partner);

  /// The declaration that begins at token `first`. Accepts any C++ tokens, valid or not.
  [[nodiscard]] Declaration read(size_t first) const;

  /// If token `i` is a macro that is a complete declaration, or the start or end of a scope, the
  /// position after the macro and its arguments; otherwise `i`.
  [[nodiscard]] size_t behindMacro(size_t i) const;

  /// The position after the { of `namespace a {` or `extern "C" {` at token `i`; otherwise nullopt.
  [[nodiscard]] std::optional<size_t> openedScope(size_t i) const;

  /// If token `i` begins a directive, the start or end of a scope, or a macro with behindMacro(),
  /// the position after it; otherwise `i`, where a declaration begins.
  [[nodiscard]] size_t behindOther(size_t i) const;

  /// The names of variables ("kernel" in `void (*kernel)(float*) = scale;`), structures and type
  /// aliases that the declaration declares. Empty for functions and enums.
  [[nodiscard]] std::vector<std::string_view> namesOf(const Declaration& found) const;

 private:
  [[nodiscard]] bool isBracketsEnd(size_t i) const;
  [[nodiscard]] bool isFollowedByName(size_t close) const;
  [[nodiscard]] std::optional<size_t> pointersName(size_t open) const;
  void note(size_t i, Declaration& found) const;
  size_t noteInside(size_t open, Declaration& found) const;
  size_t behindAngles(size_t open, Declaration& found) const;
  [[nodiscard]] size_t behindOperator(size_t i) const;
  [[nodiscard]] std::vector<std::string_view> variablesOf(const Declaration& found) const;
  [[nodiscard]] std::vector<std::string_view> typesOf(const Declaration& found) const;

  const CudaTokens& tokens_;
  const std::vector<size_t>& partner_;
  std::set<std::string_view> deviceMacros_;  ///< Macros for __device__ and similar words.
  std::set<std::string_view> wholeMacros_;   ///< Macros for behindMacro().
};

}  // namespace tilestep::compile
