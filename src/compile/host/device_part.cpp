// SPDX-License-Identifier: Apache-2.0
#include "compile/host/device_part.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "compile/host/declaration.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;
using Tokens = CudaTokens;

// Headers that device code uses: the toolkit's own, by the beginnings of their names, and those of
// the standard library that only give types and constants.
constexpr std::array kDeviceHeaders = {
    "cuda_fp", "cuda_bf16", "cooperative_groups", "cuda_pipeline",  "cuda/",           "cub/",
    "mma.h",   "nv/",       "math_constants.h",   "vector_types.h", "curand_kernel.h", "crt/"};
constexpr std::array kPlainHeaders = {"stdint.h", "cstdint", "limits.h", "climits",  "float.h",
                                      "cfloat",   "math.h",  "cmath",    "stddef.h", "cstddef"};

template <class List>
bool isOneOf(std::string_view word, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](const char* one) { return word == one; });
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
  const Tokens words = wordsOfDirective(directive);
  const bool plain = !words.empty() && words[0].is("include");
  const bool other = !words.empty() &&
                     (words[0].is("include_next") || words[0].is("import") || words[0].is("embed"));
  if (!plain) return other;
  return !isIncludable(headerOf(directive));
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

class Cutter {
 public:
  Cutter(std::string_view source, const Tokens& tokens, const std::vector<size_t>& partner)
      : source_(source),
        tokens_(tokens),
        partner_(partner),
        reader_(tokens, partner),
        isOut_(tokens.size()) {
    result_.text = source;
    for (size_t at = source.find('\n'); at != source.npos; at = source.find('\n', at + 1))
      lineEnds_.push_back(at);
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
    leaveOutUnusedTypes();
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
    const Declaration found = reader_.read(first);
    // A bare block is what follows a host's constructor: `: a{1} { … }`.
    const bool bareBlock = tokens_[first].is("{");
    const bool isOut = bareBlock || isHosts(found);
    const CudaToken& name = tokens_[found.name];
    if (isOut) blank(first, found.end, false);
    if (isOut && !found.function && !found.host && !found.variable) noteHosts(found);
    if (isOut && found.function && name.kind == Kind::word)
      result_.functions.push_back({std::string(name.text), lineOf(found.name)});
    if (isKernel(found)) {
      hostNames_.insert(name.text);
    } else if (!isOut && found.function && found.constantExpression) {
      constantFunctions_.insert(name.text);
    } else if (isOut && !found.function && !found.type) {
      for (const std::string_view variable : reader_.variablesOf(found))
        hostNames_.insert(variable);
    } else if (!isOut && found.type && !found.device && !tokens_[first].is("template")) {
      types_.push_back(found);
    }
    return found.end;
  }

  [[nodiscard]] bool isHosts(const Declaration& found) const {
    if (found.device) return false;
    if (found.function) return !found.constantExpression || found.host;
    return found.host || found.variable || hasHostsValue(found);
  }

  /// Whether its value comes from a function of the host, or it is about what only the host has: a
  /// variable that was left out, or the address of a kernel.
  [[nodiscard]] bool hasHostsValue(const Declaration& found) const {
    const bool asserts = tokens_[found.first].is("static_assert");
    if (found.constantExpression || (!asserts && found.initialiser == 0)) return false;
    for (size_t i = asserts ? found.first : found.initialiser; i < found.end; ++i) {
      if (hostNames_.contains(tokens_[i].text)) return true;
      if (!asserts && reader_.callsHost(i, constantFunctions_)) return true;
    }
    return false;
  }

  [[nodiscard]] bool isKernel(const Declaration& found) const {
    if (found.name < found.first) return false;
    const auto begin = tokens_.begin();
    return std::any_of(begin + static_cast<ptrdiff_t>(found.first),
                       begin + static_cast<ptrdiff_t>(found.name),
                       [](const CudaToken& token) { return token.is("__global__"); });
  }

  /// Leaves out structures that nothing mentions which is still there: they are the host's.
  void leaveOutUnusedTypes() {
    if (types_.empty()) return;
    std::unordered_map<std::string_view, size_t> uses;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (isOut_[i]) continue;
      if (tokens_[i].kind == Kind::word) ++uses[tokens_[i].text];
      if (tokens_[i].kind != Kind::directive) continue;
      // What macros paste together is not worked out.
      if (tokens_[i].text.find("##") != std::string_view::npos) return;
      for (const CudaToken& word : wordsOfDirective(tokens_[i].text)) ++uses[word.text];
    }
    // What is declared earlier may be used by what is declared later, and not the other way.
    for (auto type = types_.rbegin(); type != types_.rend(); ++type) {
      std::unordered_map<std::string_view, size_t> own;
      for (size_t i = type->first; i < type->end; ++i) ++own[tokens_[i].text];
      const auto names = reader_.namesOfType(*type);
      const bool isUsed =
          std::ranges::any_of(names, [&](std::string_view name) { return uses[name] > own[name]; });
      if (names.empty() || isUsed) continue;
      blank(type->first, type->end, false);
      noteHosts(*type);
      for (const auto& [word, count] : own) uses[word] -= std::min(uses[word], count);
    }
  }

  /// What the compiler says about it is no mistake of the device's code.
  void noteHosts(const Declaration& found) {
    result_.hosts.push_back({lineOf(found.first), lineOf(found.end - 1)});
  }

  [[nodiscard]] size_t offsetOf(size_t token) const {
    return static_cast<size_t>(tokens_[token].text.data() - source_.data());
  }
  [[nodiscard]] int lineOf(size_t token) const {
    const auto behind = std::ranges::upper_bound(lineEnds_, offsetOf(token));
    return 1 + static_cast<int>(behind - lineEnds_.begin());
  }

  /// Tokens [first, end) and what is between them become blanks; directives stay unless said.
  void blank(size_t first, size_t end, bool directives) {
    for (size_t i = first; i < end; ++i) {
      const bool stays =
          tokens_[i].kind == Kind::directive && !(directives || isHostInclude(tokens_[i].text));
      const size_t from = offsetOf(i), to = from + tokens_[i].text.size();
      if (!stays) blankText(from, to);
      isOut_[i] = !stays;
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
  DeclarationReader reader_;
  std::vector<bool> isOut_;  ///< By token.
  /// Kernels, and variables that were left out: only the host can name them in what initialises
  /// its own.
  std::set<std::string_view> hostNames_;
  std::set<std::string_view> constantFunctions_;  ///< constexpr, and still there.
  std::vector<Declaration> types_;                ///< Not marked as the device's, and still there.
  DevicePart result_;
  std::vector<size_t> lineEnds_;
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
