// SPDX-License-Identifier: Apache-2.0
#include "compile/text/declaration.h"

#include <algorithm>
#include <array>

#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr std::array kDeviceWords = {"__global__", "__device__", "__constant__", "__shared__",
                                     "__managed__"};
// Words before parentheses that are not a parameter list.
constexpr std::array kNoFunction = {"__launch_bounds__", "__attribute__",   "__align__", "alignas",
                                    "__declspec",        "decltype",        "noexcept",  "explicit",
                                    "__maxnreg__",       "__cluster_dims__"};

constexpr std::array kTypeWords = {"struct", "class", "union", "enum"};
constexpr std::array kAliasWords = {"typedef", "using"};
/// Macros whose value contains one of the words in `meant`, such as
/// `#define DEVICE __device__ inline`.
template <class List>
std::set<std::string_view> macrosFor(const List& meant, const CudaTokens& tokens) {
  std::set<std::string_view> macros;
  for (const CudaToken& token : tokens) {
    if (token.kind != Kind::directive) continue;
    const CudaTokens words = wordsOfDirective(token.text);
    if (words.size() < 3 || !words[0].is("define")) continue;
    for (size_t i = 2; i < words.size(); ++i) {
      if (isOneOf(words[i].text, meant) || macros.count(words[i].text)) {
        macros.insert(words[1].text);
      }
    }
  }
  return macros;
}

/// Macros that are whole declarations, or start or end a scope, such as `#define NS_END }`.
std::set<std::string_view> wholeMacros(const CudaTokens& tokens) {
  std::set<std::string_view> macros;
  for (const CudaToken& token : tokens) {
    if (token.kind != Kind::directive) continue;
    const CudaTokens words = wordsOfDirective(token.text);
    if (words.size() < 3 || !words[0].is("define")) continue;
    const bool isWhole = words.back().is(";") || words.back().is("}") || words.back().is("{");
    if (isWhole) macros.insert(words[1].text);
  }
  return macros;
}

}  // namespace

DeclarationReader::DeclarationReader(const CudaTokens& tokens, const std::vector<size_t>& partner)
    : tokens_(tokens),
      partner_(partner),
      deviceMacros_(macrosFor(kDeviceWords, tokens)),
      wholeMacros_(wholeMacros(tokens)) {}

Declaration DeclarationReader::read(size_t first) const {
  Declaration found;
  found.first = first;
  const bool isAlias = isOneOf(tokens_[first].text, kAliasWords);
  bool hasPointer = false;
  bool isInitialised = false;  // Member initialisers of a constructor have begun.
  size_t i = first;
  while (i < tokens_.size()) {
    const CudaToken& token = tokens_[i];
    if (token.is("}")) break;  // The scope ends, and the declaration has no semicolon.
    if (token.kind == Kind::word) note(i, found);
    if (token.is(";")) {
      ++i;
      break;
    }
    if (token.is("template") && i + 1 < tokens_.size() && tokens_[i + 1].is("<")) {
      i = behindAngles(i + 1, found);
    } else if (token.is("operator")) {
      i = behindOperator(i);
    } else if (token.is("(")) {
      const bool isPointer = !found.name && !found.value && pointersName(i);
      const bool marked = (i > first && isOneOf(tokens_[i - 1].text, kNoFunction)) ||
                          (found.isType && isFollowedByName(partner_[i])) || hasPointer;
      hasPointer = hasPointer || isPointer;
      if (!isPointer && !marked && !found.name && !found.value) found.name = i > first ? i - 1 : i;
      i = noteInside(i, found);
    } else if (token.is("{") && isInitialised && i > first && !isBracketsEnd(i - 1)) {
      i = noteInside(i,
                     found);  // A member initialiser, `: rows{r}`. A body would follow a bracket.
    } else if (token.is("{")) {
      found.isFunction = found.name && !found.value;
      const bool isBlock = found.isFunction || i == first;
      if (!isBlock && !found.isType && !found.value) found.value = i;
      // Words in the body do not determine where the function runs.
      i = isBlock ? partner_[i] + 1 : noteInside(i, found);
      if (isBlock) break;
    } else if (token.is("[")) {
      i = noteInside(i, found);
    } else {
      found.isType = found.isType || isOneOf(token.text, kTypeWords);
      if (token.is("=") && !found.value) found.value = i;
      isInitialised = isInitialised || (token.is(":") && found.name && !found.value);
      ++i;
    }
  }
  found.end = std::max(i, first + 1);
  // `static const struct { … } table[] = …` counts as a variable.
  if (found.value) found.isType = false;
  found.isType = found.isType || isAlias;
  return found;
}

size_t DeclarationReader::behindMacro(size_t i) const {
  if (!wholeMacros_.contains(tokens_[i].text)) return i;
  const bool hasArguments = i + 1 < tokens_.size() && tokens_[i + 1].is("(");
  return hasArguments ? partner_[i + 1] + 1 : i + 1;
}

size_t DeclarationReader::behindOther(size_t i) const {
  if (tokens_[i].kind == Kind::directive || tokens_[i].is("}")) return i + 1;
  const size_t behind = behindMacro(i);
  return behind > i ? behind : openedScope(i).value_or(i);
}

std::optional<size_t> DeclarationReader::openedScope(size_t i) const {
  if (tokens_[i].is("inline")) ++i;
  if (i + 1 >= tokens_.size()) return std::nullopt;
  const bool linkage = tokens_[i].is("extern") && tokens_[i + 1].kind == Kind::text;
  if (!linkage && !tokens_[i].is("namespace")) return std::nullopt;
  size_t at = i + (linkage ? 2 : 1);
  while (!linkage && at < tokens_.size() &&
         (tokens_[at].kind == Kind::word || tokens_[at].is("::")))
    ++at;
  if (at >= tokens_.size() || !tokens_[at].is("{")) return std::nullopt;
  return at + 1;
}

bool DeclarationReader::isBracketsEnd(size_t i) const {
  return tokens_[i].is(")") || tokens_[i].is("}");
}

/// Whether a name follows the bracket, as in `struct ALIGN(16) Vec`, which calls a macro.
bool DeclarationReader::isFollowedByName(size_t close) const {
  if (close + 1 >= tokens_.size() || tokens_[close + 1].kind != Kind::word) return false;
  return !isOneOf(tokens_[close + 1].text, std::array{"const", "noexcept", "volatile", "try"});
}

void DeclarationReader::note(size_t i, Declaration& found) const {
  const std::string_view word = tokens_[i].text;
  found.isDevice = found.isDevice || isOneOf(word, kDeviceWords) || deviceMacros_.contains(word);
  found.isConstant = found.isConstant || word == "constexpr" || word == "consteval";
}

/// Notes all words in the brackets at `open`, and returns the position after them.
size_t DeclarationReader::noteInside(size_t open, Declaration& found) const {
  for (size_t i = open; i < partner_[open]; ++i) {
    if (tokens_[i].kind == Kind::word) note(i, found);
  }
  return partner_[open] + 1;
}

/// Notes all words in `template < … >`, and returns the position after it.
size_t DeclarationReader::behindAngles(size_t open, Declaration& found) const {
  size_t depth = 0;
  for (size_t i = open; i < tokens_.size(); ++i) {
    const CudaToken& token = tokens_[i];
    if (token.kind == Kind::word) note(i, found);
    if (token.is("(") || token.is("[") || token.is("{")) {
      i = noteInside(i, found) - 1;
    } else if (token.is("<") || token.is("<<<")) {
      depth += token.text.size();
    } else if (token.is(">") || token.is(">>>")) {
      depth -= std::min(depth, token.text.size());
      if (depth == 0) return i + 1;
    } else if (token.is(";") || token.is("}")) {
      return i;
    }
  }
  return tokens_.size();
}

/// The position of the parameters of an operator, such as `operator+` or `operator()`.
size_t DeclarationReader::behindOperator(size_t i) const {
  ++i;
  if (i < tokens_.size() && tokens_[i].is("(")) return partner_[i] + 1;
  while (i < tokens_.size() && tokens_[i].kind == Kind::symbol && !tokens_[i].is("(") &&
         !tokens_[i].is("{") && !tokens_[i].is("}") && !tokens_[i].is(";")) {
    i = isOpen(tokens_[i]) ? partner_[i] + 1 : i + 1;
  }
  return i;
}

/// The name of a function pointer in brackets, such as `(*name)` or `(*name[4])`; nullopt if the
/// brackets contain something else.
std::optional<size_t> DeclarationReader::pointersName(size_t open) const {
  size_t at = open + 1;
  if (!tokens_[at].is("*")) return std::nullopt;
  while (tokens_[at].is("*") || tokens_[at].is("const")) ++at;
  const bool isName =
      tokens_[at].kind == Kind::word && (at + 1 == partner_[open] || tokens_[at + 1].is("["));
  return isName ? std::optional(at) : std::nullopt;
}

std::vector<std::string_view> DeclarationReader::namesOf(const Declaration& found) const {
  if (found.isFunction) return {};
  return found.isType ? typesOf(found) : variablesOf(found);
}

/// The names of all variables that the declaration declares.
std::vector<std::string_view> DeclarationReader::variablesOf(const Declaration& found) const {
  constexpr std::array kBehindNames = {"=", "[", "{", ",", ";"};
  std::vector<std::string_view> names;
  bool isValue = false;
  for (size_t i = found.first; i + 1 < found.end; ++i) {
    const CudaToken& token = tokens_[i];
    if (token.is(",")) isValue = false;
    if (const auto name = token.is("(") && !isValue ? pointersName(i) : std::nullopt) {
      names.push_back(tokens_[*name].text);
    } else if (!isValue && token.kind == Kind::word && isOneOf(tokens_[i + 1].text, kBehindNames)) {
      names.push_back(token.text);
    }
    isValue = isValue || token.is("=");
    if (isOpen(token)) i = partner_[i];
  }
  return names;
}

/// The names of types that the declaration declares: a structure's name, the names after its body,
/// or "real" in `using real = float;` and `typedef float real;`. Empty for enums, because their
/// values are names, too.
std::vector<std::string_view> DeclarationReader::typesOf(const Declaration& found) const {
  if (tokens_[found.first].is("using")) {
    const bool renames = found.end - found.first > 3 && tokens_[found.first + 2].is("=");
    if (renames) return {tokens_[found.first + 1].text};
  }
  std::vector<std::string_view> names;
  std::string_view last;
  bool isBase = false;
  for (size_t at = found.first; at < found.end; ++at) {
    const CudaToken& token = tokens_[at];
    if (token.is("=") || token.is("enum")) return {};
    isBase = isBase || token.is(":");
    if (token.is("{") || token.is(";") || token.is(",") || token.is("[")) {
      if (!last.empty()) names.push_back(last);
      last = {};
      isBase = false;
    }
    if (isOpen(token)) {
      if (const auto name = token.is("(") ? pointersName(at) : std::nullopt)
        last = tokens_[*name].text;
      at = partner_[at];
    } else if (token.kind == Kind::word && !isBase && !token.is("final")) {
      last = token.text;
    }
  }
  return names;
}

}  // namespace tilestep::compile
