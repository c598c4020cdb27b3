// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// A declaration at namespace scope, as far as its tokens tell; positions are indices of tokens.
struct Declaration {
  size_t first = 0;
  size_t end = 0;  ///< Behind its last token.
  /// Names something of the device (`__device__`, or a macro for it), is constexpr, or names
  /// something of the host's libraries.
  bool device = false, constantExpression = false, host = false;
  bool function = false;   ///< With a body.
  bool type = false;       ///< Defines a struct, class, union or enum, or names one.
  bool variable = false;   ///< One that may change: NVRTC has no such thing on the host's side.
  bool pointer = false;    ///< A pointer to a function.
  size_t name = 0;         ///< The token of a function's name.
  size_t initialiser = 0;  ///< What stands behind a variable's = or in its {}; 0: there is none.
};

/// Reads declarations from the tokens of a text whose brackets match. The tokens and `partner`, the
/// bracket that belongs to each bracket, must outlive it.
class DeclarationReader {
 public:
  DeclarationReader(const CudaTokens& tokens, const std::vector<size_t>& partner);

  /// The declaration that begins at token `first`. Takes any tokens; `end` is beyond `first`.
  [[nodiscard]] Declaration read(size_t first) const;

  /// The names of variables that a declaration without a body declares in front of its
  /// initialiser: "kernel" of `void (*kernel)(float*) = scale;`.
  [[nodiscard]] std::vector<std::string_view> variablesOf(const Declaration& found) const;

  /// The names that the definition of a struct, class or union gives: its own, and what is declared
  /// behind its body. Nothing where it is none, or where it has no name.
  [[nodiscard]] std::vector<std::string_view> namesOfType(const Declaration& found) const;

  /// Whether token `at` is called like a function, and may be one of the host: neither a cast, an
  /// operator such as sizeof, a macro nor one of `constantFunctions`.
  [[nodiscard]] bool callsHost(size_t at,
                               const std::set<std::string_view>& constantFunctions) const;

 private:
  [[nodiscard]] bool isFollowedByName(size_t close) const;
  [[nodiscard]] bool isPointersName(size_t open) const;
  void note(size_t i, Declaration& found) const;
  size_t noteInside(size_t open, Declaration& found) const;
  size_t behindAngles(size_t open, Declaration& found) const;
  [[nodiscard]] size_t behindOperator(size_t i) const;

  const CudaTokens& tokens_;
  const std::vector<size_t>& partner_;
  std::set<std::string_view> deviceMacros_;  ///< They stand for __device__ and its like.
  std::set<std::string_view> macros_;        ///< All of them.
  std::set<std::string_view> aliases_;       ///< Names that typedef and using give to types.
  bool usesStandardNames_;                   ///< `using namespace std`
};

/// For each bracket the one that closes or opens it, and 0 for other tokens; nothing where they do
/// not match.
[[nodiscard]] std::optional<std::vector<size_t>> matchBrackets(const CudaTokens& tokens);

/// Whether the word at `i` is a name of the host's libraries: `std::`, `FILE`, `cudaMalloc`.
[[nodiscard]] bool isHostName(const CudaTokens& tokens, size_t i);

/// The tokens of a directive behind its sign: `include`, `<`, `cstdio`, `>`.
[[nodiscard]] CudaTokens wordsOfDirective(std::string_view directive);

}  // namespace tilestep::compile
