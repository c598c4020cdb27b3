// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// A declaration at namespace scope, as far as its tokens show; positions are token indices.
struct Declaration {
  size_t first = 0;
  size_t end = 0;           ///< After its last token, and never inside brackets.
  bool isDevice = false;    ///< It contains a word such as __device__, or a macro for one.
  bool isConstant = false;  ///< It contains the word constexpr or consteval.
  bool isFunction = false;  ///< With a body.
  bool isType = false;      ///< It defines, declares or renames a type.
  /// The name before the first parameter list.
  std::optional<size_t> name;
  /// The = or the { at which a variable's value begins.
  std::optional<size_t> value;
};

/// Reads declarations from the tokens of a text whose brackets match (matchBrackets). The tokens
/// and `partner`, the matching bracket of each bracket, must outlive it.
class DeclarationReader {
 public:
  DeclarationReader(const CudaTokens& tokens, const std::vector<size_t>& partner);

  /// The declaration that begins at token `first`. Accepts any tokens.
  [[nodiscard]] Declaration read(size_t first) const;

  /// The position after a macro of this text, with its arguments, that is a complete declaration,
  /// if there is one at token `i`; otherwise `i`.
  [[nodiscard]] size_t behindMacro(size_t i) const;

  /// The position after the { of `namespace a {` or `extern "C" {` at token `i`; nullopt if neither
  /// begins there.
  [[nodiscard]] std::optional<size_t> openedScope(size_t i) const;

  /// The next place for a declaration, if none begins at token `i`: after a directive, the start or
  /// end of a scope, or a macro that is a complete declaration. Otherwise `i`.
  [[nodiscard]] size_t behindOther(size_t i) const;

  /// The names that a declaration without a body declares: variables ("kernel" of `void
  /// (*kernel)(float*) = scale;`), a structure, an alias of a type. Empty if it declares none of
  /// these.
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
  std::set<std::string_view> wholeMacros_;   ///< Macros that end a declaration or a scope.
};

}  // namespace tilestep::compile
