// SPDX-License-Identifier: Apache-2.0
#include "compile/host/declaration.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr std::array kDeviceWords = {"__global__", "__device__", "__constant__", "__shared__",
                                     "__managed__"};
// What stands before brackets that are no parameter list.
constexpr std::array kNoFunction = {"__launch_bounds__", "__attribute__",   "__align__", "alignas",
                                    "__declspec",        "decltype",        "noexcept",  "explicit",
                                    "__maxnreg__",       "__cluster_dims__"};

constexpr std::array kTypeWords = {"struct", "class", "union", "enum"};
// What declarations begin with that are no variables.
constexpr std::array kNoVariable = {"typedef", "using",  "template", "namespace", "static_assert",
                                    "extern",  "friend", "asm",      "__asm__",   "concept"};
// What is called like a function, and is none: operators and the types of casts.
constexpr std::array kNoCalls = {"sizeof", "alignof", "decltype", "noexcept", "int",
                                 "float",  "double",  "unsigned", "signed",   "char",
                                 "short",  "long",    "bool",     "return",   "if",
                                 "while",  "for",     "switch",   "typeid"};

template <class List>
bool isOneOf(std::string_view word, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const char* one) { return word == one; });
}

/// Names of the CUDA runtime, "cudaMalloc" and its like.
bool isRuntimeName(std::string_view word) {
  return word.size() > 4 && word.starts_with("cuda") &&
         std::isupper(static_cast<unsigned char>(word[4])) != 0;
}

/// With `using namespace std` these are the library's.
constexpr std::array kStandardNames = {
    "string",     "vector",     "ostream",  "istream", "ofstream", "ifstream",      "map",    "set",
    "unique_ptr", "shared_ptr", "function", "thread",  "chrono",   "random_device", "mt19937"};

bool usesStandardNames(const CudaTokens& tokens) {
  for (size_t i = 2; i < tokens.size(); ++i) {
    const bool is = tokens[i - 2].is("using") && tokens[i - 1].is("namespace");
    if (is && tokens[i].is("std")) return true;
  }
  return false;
}

/// What the device has of the library, too: `std::size_t`.
constexpr std::array kSharedNames = {"size_t",  "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",
                                     "int64_t", "uint8_t",   "uint16_t", "uint32_t", "uint64_t"};

/// Macros that stand for __device__ and its like: `#define DEVICE __device__ inline`.
std::set<std::string_view> deviceMacros(const CudaTokens& tokens) {
  std::set<std::string_view> macros;
  for (const CudaToken& token : tokens) {
    if (token.kind != Kind::directive) continue;
    const CudaTokens words = wordsOfDirective(token.text);
    if (words.size() < 3 || !words[0].is("define")) continue;
    for (size_t i = 2; i < words.size(); ++i) {
      if (isOneOf(words[i].text, kDeviceWords) || macros.count(words[i].text)) {
        macros.insert(words[1].text);
      }
    }
  }
  return macros;
}

/// The names of all macros that the text defines.
std::set<std::string_view> allMacros(const CudaTokens& tokens) {
  std::set<std::string_view> macros;
  for (const CudaToken& token : tokens) {
    if (token.kind != Kind::directive) continue;
    const CudaTokens words = wordsOfDirective(token.text);
    if (words.size() > 1 && words[0].is("define")) macros.insert(words[1].text);
  }
  return macros;
}

/// "real" of `using real = float;` and of `typedef float real;`
std::set<std::string_view> allAliases(const CudaTokens& tokens) {
  std::set<std::string_view> aliases;
  bool isTypedef = false;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const CudaToken& next = tokens[i + 1];
    isTypedef = isTypedef || tokens[i].is("typedef");
    if (tokens[i].kind != Kind::word) continue;
    const bool isUsing = i > 0 && tokens[i - 1].is("using") && next.is("=");
    if (isUsing || (isTypedef && next.is(";"))) aliases.insert(tokens[i].text);
    if (next.is(";")) isTypedef = false;
  }
  return aliases;
}

}  // namespace

CudaTokens wordsOfDirective(std::string_view directive) {
  const size_t sign = directive.starts_with("#") ? 1 : 2;  // # or %:
  return cudaTokens(directive.substr(std::min(sign, directive.size())));
}

bool isHostName(const CudaTokens& tokens, size_t i) {
  const std::string_view word = tokens[i].text;
  if (tokens[i].kind != Kind::word) return false;
  if (isRuntimeName(word) || word == "FILE") return true;
  const bool isShared = word == "std" && i + 2 < tokens.size() && tokens[i + 1].is("::") &&
                        isOneOf(tokens[i + 2].text, kSharedNames);
  if (isShared) return false;
  const bool libraries = word == "std" || word == "thrust";
  return libraries && i + 1 < tokens.size() &&
         (tokens[i + 1].is("::") || tokens[i + 1].is(";") || tokens[i + 1].is("{"));
}

std::optional<std::vector<size_t>> matchBrackets(const CudaTokens& tokens) {
  std::vector<size_t> partner(tokens.size(), 0), open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::symbol || tokens[i].text.size() != 1) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '{' || c == '[') open.push_back(i);
    if (c != ')' && c != '}' && c != ']') continue;
    const char needed = c == ')' ? '(' : c == '}' ? '{' : '[';
    if (open.empty() || tokens[open.back()].text[0] != needed) return std::nullopt;
    partner[i] = open.back();
    partner[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) return std::nullopt;
  return partner;
}

DeclarationReader::DeclarationReader(const CudaTokens& tokens, const std::vector<size_t>& partner)
    : tokens_(tokens),
      partner_(partner),
      deviceMacros_(deviceMacros(tokens)),
      macros_(allMacros(tokens)),
      aliases_(allAliases(tokens)),
      usesStandardNames_(usesStandardNames(tokens)) {}

Declaration DeclarationReader::read(size_t first) const {
  Declaration found;
  found.first = first;
  bool initialised = false, parameters = false, constant = false;
  size_t i = first;
  while (i < tokens_.size()) {
    const CudaToken& token = tokens_[i];
    if (token.is("}")) break;  // The scope's: a declaration without its semicolon.
    if (token.kind == Kind::word) note(i, found);
    if (token.is(";")) {
      ++i;
      break;
    }
    if (token.is("template") && i + 1 < tokens_.size() && tokens_[i + 1].is("<")) {
      i = behindAngles(i + 1, found);
    } else if (token.is("operator")) {
      i = behindOperator(i);
    } else if (token.is("(") && !parameters && !initialised && isPointersName(i)) {
      found.pointer = true;
      i = noteInside(i, found);
    } else if (token.is("(")) {
      const bool marked = (i > first && isOneOf(tokens_[i - 1].text, kNoFunction)) ||
                          (found.type && isFollowedByName(partner_[i])) || found.pointer;
      if (!marked && !parameters && !initialised) {
        parameters = true;
        found.name = i > first ? i - 1 : i;
      }
      i = noteInside(i, found);
    } else if (token.is("{")) {
      found.function = parameters && !initialised;
      const size_t open = i;
      const bool block = found.function || i == first;
      // What a function's body holds says nothing about where it runs.
      i = block ? partner_[i] + 1 : noteInside(i, found);
      if (block) break;
      initialised = initialised || !found.type;
      if (initialised && found.initialiser == 0) found.initialiser = open;
    } else {
      found.type = found.type || isOneOf(token.text, kTypeWords);
      initialised = initialised || token.is("=");
      if (initialised && found.initialiser == 0) found.initialiser = i;
      if (!initialised) constant = (constant || token.is("const")) && !token.is("*");
      ++i;
    }
  }
  found.end = std::max(i, first + 1);
  const bool mayBeVariable = !isOneOf(tokens_[first].text, kNoVariable);
  if (!mayBeVariable) found.initialiser = 0;
  found.variable = mayBeVariable && !found.function && !found.type && !parameters && !constant &&
                   !found.constantExpression && found.end - first > 2;
  return found;
}

/// `struct ALIGN(16) Vec`: these brackets are a macro's.
bool DeclarationReader::isFollowedByName(size_t close) const {
  if (close + 1 >= tokens_.size() || tokens_[close + 1].kind != Kind::word) return false;
  return !isOneOf(tokens_[close + 1].text, std::array{"const", "noexcept", "volatile", "try"});
}

void DeclarationReader::note(size_t i, Declaration& found) const {
  const std::string_view word = tokens_[i].text;
  found.device = found.device || isOneOf(word, kDeviceWords) || deviceMacros_.count(word) != 0;
  found.constantExpression = found.constantExpression || word == "constexpr" || word == "consteval";
  found.host =
      found.host || isHostName(tokens_, i) || (usesStandardNames_ && isOneOf(word, kStandardNames));
}

/// Behind the bracket that closes the one at `open`.
size_t DeclarationReader::noteInside(size_t open, Declaration& found) const {
  for (size_t i = open; i < partner_[open]; ++i) {
    if (tokens_[i].kind == Kind::word) note(i, found);
  }
  return partner_[open] + 1;
}

/// Behind template's < … >.
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

/// At the parameters of `operator+`, `operator()` and the like, whose signs mean nothing here.
size_t DeclarationReader::behindOperator(size_t i) const {
  ++i;
  if (i < tokens_.size() && tokens_[i].is("(")) return partner_[i] + 1;
  while (i < tokens_.size() && tokens_[i].kind == Kind::symbol && !tokens_[i].is("(") &&
         !tokens_[i].is("{") && !tokens_[i].is("}") && !tokens_[i].is(";")) {
    ++i;
  }
  return i;
}

/// `(*name)` or `(*name[4])`: what stands in the brackets of a pointer to a function.
bool DeclarationReader::isPointersName(size_t open) const {
  size_t at = open + 1;
  if (at >= tokens_.size() || !tokens_[at].is("*")) return false;
  while (at < partner_[open] && (tokens_[at].is("*") || tokens_[at].is("const"))) ++at;
  if (tokens_[at].kind != Kind::word) return false;
  return at + 1 == partner_[open] || tokens_[at + 1].is("[");
}

std::vector<std::string_view> DeclarationReader::variablesOf(const Declaration& found) const {
  constexpr std::array kBehindNames = {"=", "[", "{", ",", ";"};
  std::vector<std::string_view> names;
  const size_t end = found.initialiser > 0 ? found.initialiser + 1 : found.end;
  for (size_t i = found.first; i + 1 < end; ++i) {
    if (tokens_[i].is("(") && isPointersName(i)) {
      for (size_t at = i; at < partner_[i] && !tokens_[at].is("["); ++at)
        if (tokens_[at].kind == Kind::word) names.push_back(tokens_[at].text);
    }
    if (tokens_[i].is("(")) {
      i = partner_[i];
    } else if (tokens_[i].kind == Kind::word && isOneOf(tokens_[i + 1].text, kBehindNames)) {
      names.push_back(tokens_[i].text);
    }
  }
  return names;
}

std::vector<std::string_view> DeclarationReader::namesOfType(const Declaration& found) const {
  size_t at = found.first;
  while (at < found.end && !isOneOf(tokens_[at].text, kTypeWords)) {
    if (isOpen(tokens_[at]) || tokens_[at].is("=")) return {};
    ++at;
  }
  if (at == found.end || tokens_[at].is("enum")) return {};
  std::vector<std::string_view> names;
  std::string_view own;
  bool isBase = false;
  for (++at; at < found.end && !tokens_[at].is("{"); ++at) {
    if (tokens_[at].is(";") || tokens_[at].is("=")) return {};
    isBase = isBase || tokens_[at].is(":");
    if (isOpen(tokens_[at]))
      at = partner_[at];
    else if (!isBase && tokens_[at].kind == Kind::word && !tokens_[at].is("final"))
      own = tokens_[at].text;
  }
  if (at == found.end) return {};
  if (!own.empty()) names.push_back(own);
  for (at = partner_[at] + 1; at < found.end && !tokens_[at].is("=") && !isOpen(tokens_[at]); ++at)
    if (tokens_[at].kind == Kind::word) names.push_back(tokens_[at].text);
  return names;
}

bool DeclarationReader::callsHost(size_t at,
                                  const std::set<std::string_view>& constantFunctions) const {
  const CudaToken& token = tokens_[at];
  if (token.is("new")) return true;
  if (token.kind != Kind::word || at + 1 >= tokens_.size() || !tokens_[at + 1].is("("))
    return false;
  const bool isType =
      isOneOf(token.text, kNoCalls) || token.text.ends_with("_t") || aliases_.contains(token.text);
  return !isType && !macros_.contains(token.text) && !constantFunctions.contains(token.text);
}

}  // namespace tilestep::compile
