// SPDX-License-Identifier: Apache-2.0
#include "compile/text/device_part.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "compile/text/cuda_lexer.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;
using Tokens = std::vector<CudaToken>;

// Headers that device code uses: the toolkit's own, by the beginnings of their names, and those of
// the standard library that only give types and constants.
constexpr std::array kDeviceHeaders = {
    "cuda_fp", "cuda_bf16", "cooperative_groups", "cuda_pipeline",  "cuda/",           "cub/",
    "mma.h",   "nv/",       "math_constants.h",   "vector_types.h", "curand_kernel.h", "crt/"};
constexpr std::array kPlainHeaders = {"stdint.h", "cstdint", "limits.h", "climits",  "float.h",
                                      "cfloat",   "math.h",  "cmath",    "stddef.h", "cstddef"};

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

template <class List>
bool isOneOf(std::string_view word, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const char* one) { return word == one; });
}

/// The tokens of a directive behind its sign: `include`, `<`, `cstdio`, `>`.
Tokens wordsOf(std::string_view directive) {
  const size_t sign = directive.starts_with("#") ? 1 : 2;  // # or %:
  return cudaTokens(directive.substr(std::min(sign, directive.size())));
}

/// Lines that end in a backslash made one.
std::string spliced(std::string_view text) {
  std::string whole;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t end = text[i] == '\\' ? text.find_first_not_of(" \t\r", i + 1) : i;
    if (end != i && end != std::string_view::npos && text[end] == '\n') {
      i = end;
    } else {
      whole += text[i];
    }
  }
  return whole;
}

/// "cstdio" of `#include <cstdio>`; empty where a macro says what.
std::string_view headerOf(std::string_view directive) {
  const size_t open = directive.find_first_of("<\"");
  if (open == std::string_view::npos) return {};
  const size_t close = directive.find_first_of(">\"", open + 1);
  return directive.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
}

/// Brings in what no device header is: a header of the host, a file of this machine, anything that
/// is spelt so that it cannot be told.
bool isHostInclude(std::string_view text) {
  const std::string directive = spliced(text);
  const Tokens words = wordsOf(directive);
  const bool plain = !words.empty() && words[0].is("include");
  const bool other = !words.empty() &&
                     (words[0].is("include_next") || words[0].is("import") || words[0].is("embed"));
  if (!plain) return other;
  return !isIncludable(headerOf(directive));
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

bool usesStandardNames(const Tokens& tokens) {
  for (size_t i = 2; i < tokens.size(); ++i) {
    const bool is = tokens[i - 2].is("using") && tokens[i - 1].is("namespace");
    if (is && tokens[i].is("std")) return true;
  }
  return false;
}

/// What the device has of the library, too: `std::size_t`.
constexpr std::array kSharedNames = {"size_t",  "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",
                                     "int64_t", "uint8_t",   "uint16_t", "uint32_t", "uint64_t"};

bool isHostName(const Tokens& tokens, size_t i) {
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

bool showsHostCode(const Tokens& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    const CudaToken& token = tokens[i];
    if (token.kind == Kind::directive && isHostInclude(token.text)) return true;
    if (token.is("<<<") || isHostName(tokens, i)) return true;
    if (token.is("main") && i + 1 < tokens.size() && tokens[i + 1].is("(")) return true;
  }
  return false;
}

/// For each bracket the one that closes or opens it; nothing where they do not match.
std::optional<std::vector<size_t>> matchBrackets(const Tokens& tokens) {
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

/// Macros that stand for __device__ and its like: `#define DEVICE __device__ inline`.
std::set<std::string_view> deviceMacros(const Tokens& tokens) {
  std::set<std::string_view> macros;
  for (const CudaToken& token : tokens) {
    if (token.kind != Kind::directive) continue;
    const Tokens words = wordsOf(token.text);
    if (words.size() < 3 || !words[0].is("define")) continue;
    for (size_t i = 2; i < words.size(); ++i) {
      if (isOneOf(words[i].text, kDeviceWords) || macros.count(words[i].text)) {
        macros.insert(words[1].text);
      }
    }
  }
  return macros;
}

/// One declaration at namespace scope.
struct Declaration {
  size_t end = 0;  ///< Behind its last token.
  bool device = false, constantExpression = false, host = false;
  bool function = false;  ///< With a body.
  bool variable = false;  ///< One that may change: NVRTC has no such thing on the host's side.
  size_t name = 0;        ///< The token of the function's name.
};

class Cutter {
 public:
  Cutter(std::string_view source, const Tokens& tokens, const std::vector<size_t>& partner)
      : source_(source),
        tokens_(tokens),
        partner_(partner),
        macros_(deviceMacros(tokens)),
        standard_(usesStandardNames(tokens)) {
    result_.text = source;
  }

  /// For any text.
  DevicePart withoutIncludes() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const CudaToken& token = tokens_[i];
      if (token.kind == Kind::directive && isHostInclude(token.text)) blank(i, i + 1, true);
    }
    return std::move(result_);
  }

  /// Nothing where the scopes do not fit.
  std::optional<DevicePart> run() {
    size_t scopes = 0;
    for (size_t i = 0; i < tokens_.size();) {
      const CudaToken& token = tokens_[i];
      if (token.kind == Kind::directive) {
        if (isHostInclude(token.text)) blank(i, i + 1, true);
        ++i;
      } else if (token.is("}")) {
        if (scopes-- == 0) return std::nullopt;
        ++i;
      } else if (const size_t inside = openedScope(i)) {
        ++scopes;
        i = inside;
      } else {
        i = declaration(i);
      }
    }
    return std::move(result_);
  }

 private:
  /// Behind the { of `namespace a {` or `extern "C" {`; 0 where something else begins.
  [[nodiscard]] size_t openedScope(size_t i) const {
    if (tokens_[i].is("inline")) ++i;
    if (i + 1 >= tokens_.size()) return 0;
    const bool linkage = tokens_[i].is("extern") && tokens_[i + 1].kind == Kind::text;
    if (!linkage && !tokens_[i].is("namespace")) return 0;
    size_t at = i + (linkage ? 2 : 1);
    while (!linkage && at < tokens_.size() &&
           (tokens_[at].kind == Kind::word || tokens_[at].is("::"))) {
      ++at;
    }
    return at < tokens_.size() && tokens_[at].is("{") ? at + 1 : 0;
  }

  /// Reads one, leaves it out if it is the host's, and says where the next begins.
  size_t declaration(size_t first) {
    const Declaration found = read(first);
    // A bare block is what follows a host's constructor: `: a{1} { … }`.
    const bool bareBlock = tokens_[first].is("{");
    const bool hosts = !found.device && (found.function ? !found.constantExpression || found.host
                                                        : found.host || found.variable);
    if (!bareBlock && !hosts) return found.end;
    blank(first, found.end, false);
    if (found.function && tokens_[found.name].kind == Kind::word) {
      result_.functions.push_back({std::string(tokens_[found.name].text), lineOf(found.name)});
    }
    return found.end;
  }

  Declaration read(size_t first) {
    Declaration found;
    bool type = false, initialised = false, parameters = false, constant = false;
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
      } else if (token.is("(")) {
        const bool marked = (i > first && isOneOf(tokens_[i - 1].text, kNoFunction)) ||
                            (type && isFollowedByName(partner_[i]));
        if (!marked && !parameters && !initialised) {
          parameters = true;
          found.name = i > first ? i - 1 : i;
        }
        i = noteInside(i, found);
      } else if (token.is("{")) {
        found.function = parameters && !initialised;
        const bool block = found.function || i == first;
        // What a function's body holds says nothing about where it runs.
        i = block ? partner_[i] + 1 : noteInside(i, found);
        if (block) break;
        initialised = initialised || !type;
      } else {
        type = type || isOneOf(token.text, kTypeWords);
        initialised = initialised || token.is("=");
        if (!initialised) constant = (constant || token.is("const")) && !token.is("*");
        ++i;
      }
    }
    found.end = std::max(i, first + 1);
    found.variable = !found.function && !type && !parameters && !constant &&
                     !found.constantExpression && found.end - first > 2 &&
                     !isOneOf(tokens_[first].text, kNoVariable);
    return found;
  }

  /// `struct ALIGN(16) Vec`: these brackets are a macro's.
  [[nodiscard]] bool isFollowedByName(size_t close) const {
    if (close + 1 >= tokens_.size() || tokens_[close + 1].kind != Kind::word) return false;
    return !isOneOf(tokens_[close + 1].text, std::array{"const", "noexcept", "volatile", "try"});
  }

  void note(size_t i, Declaration& found) const {
    const std::string_view word = tokens_[i].text;
    found.device = found.device || isOneOf(word, kDeviceWords) || macros_.count(word) != 0;
    found.constantExpression =
        found.constantExpression || word == "constexpr" || word == "consteval";
    found.host =
        found.host || isHostName(tokens_, i) || (standard_ && isOneOf(word, kStandardNames));
  }

  /// Behind the bracket that closes the one at `open`.
  size_t noteInside(size_t open, Declaration& found) const {
    for (size_t i = open; i < partner_[open]; ++i) {
      if (tokens_[i].kind == Kind::word) note(i, found);
    }
    return partner_[open] + 1;
  }

  /// Behind template's < … >.
  size_t behindAngles(size_t open, Declaration& found) const {
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
  [[nodiscard]] size_t behindOperator(size_t i) const {
    ++i;
    if (i < tokens_.size() && tokens_[i].is("(")) return partner_[i] + 1;
    while (i < tokens_.size() && tokens_[i].kind == Kind::symbol && !tokens_[i].is("(") &&
           !tokens_[i].is("{") && !tokens_[i].is("}") && !tokens_[i].is(";")) {
      ++i;
    }
    return i;
  }

  [[nodiscard]] size_t offsetOf(size_t token) const {
    return static_cast<size_t>(tokens_[token].text.data() - source_.data());
  }
  /// The line of a token, which must not come before the last one asked for.
  int lineOf(size_t token) {
    const size_t offset = offsetOf(token);
    const std::string_view since = source_.substr(counted_, offset - counted_);
    line_ += static_cast<int>(std::count(since.begin(), since.end(), '\n'));
    counted_ = offset;
    return line_;
  }

  /// Tokens [first, end) and what is between them become blanks; directives stay unless said.
  void blank(size_t first, size_t end, bool directives) {
    for (size_t i = first; i < end; ++i) {
      const bool stays =
          tokens_[i].kind == Kind::directive && !(directives || isHostInclude(tokens_[i].text));
      const size_t from = offsetOf(i), to = from + tokens_[i].text.size();
      if (!stays) blankText(from, to);
      if (i + 1 < end) blankText(to, offsetOf(i + 1));
    }
  }
  void blankText(size_t from, size_t to) {
    for (size_t at = from; at < to; ++at) {
      if (result_.text[at] != '\n') result_.text[at] = ' ';
    }
  }

  std::string_view source_;
  const Tokens& tokens_;
  const std::vector<size_t>& partner_;
  std::set<std::string_view> macros_;
  bool standard_;
  DevicePart result_;
  size_t counted_ = 0;  ///< Up to where line_ was counted.
  int line_ = 1;
};

}  // namespace

DevicePart devicePart(std::string_view text, bool always) {
  const Tokens tokens = cudaTokens(text);
  if (!always && !showsHostCode(tokens)) return {std::string(text), {}};
  if (const auto partner = matchBrackets(tokens)) {
    if (auto part = Cutter(text, tokens, *partner).run()) return std::move(*part);
  }
  return Cutter(text, tokens, {}).withoutIncludes();
}

bool isIncludable(std::string_view header) {
  const bool isPlain = std::ranges::all_of(header, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/' || c == '-';
  });
  const bool climbs = header.find("..") != std::string_view::npos;
  return isPlain && !climbs && (isDeviceHeader(header) || isOneOf(header, kPlainHeaders));
}

bool isDeviceHeader(std::string_view header) {
  return std::any_of(kDeviceHeaders.begin(), kDeviceHeaders.end(),
                     [&](const char* name) { return header.starts_with(name); });
}

}  // namespace tilestep::compile
