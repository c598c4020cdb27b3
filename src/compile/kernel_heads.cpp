// SPDX-License-Identifier: Apache-2.0
#include "compile/kernel_heads.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr size_t kMostKernels = 64;
constexpr size_t kLongestAngle = 256;         ///< Tokens between < and >.
constexpr size_t kLongestDeclaration = 1024;  ///< Tokens before `__global__`.

/// Words that take an argument list of their own in a function's head.
constexpr std::array<std::string_view, 10> kAttributes{
    "__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__block_size__",
    "__declspec",        "alignas",       "noexcept",         "requires",    "decltype"};

/// The text of a directive without blanks: "#if0".
std::string packed(std::string_view directive) {
  std::string text;
  for (const char c : directive)
    if (c != ' ' && c != '\t' && c != '\r') text += c;
  return text;
}

class Finder {
 public:
  Finder(std::string_view source, const CudaTokens& tokens) : source_(source), tokens_(tokens) {}

  std::vector<KernelHead> run() {
    std::vector<KernelHead> found;
    for (size_t at = 0; at < tokens_.size() && found.size() < kMostKernels; ++at) {
      const CudaToken& token = tokens_[at];
      if (token.kind == Kind::directive) {
        at = behindDisabled(at);
      } else if (token.is("namespace")) {
        at = enterNamespace(at);
      } else if (token.is("{")) {
        scopes_.emplace_back();
      } else if (token.is("}")) {
        if (!scopes_.empty()) scopes_.pop_back();
      } else if (token.is("__global__")) {
        if (auto head = headAt(at)) {
          at = behindBracket(tokens_, head->body) - 1;
          found.push_back(std::move(*head));
        }
      }
    }
    return found;
  }

 private:
  /// The last token of what `#if 0` at `at` switches off; `at` for every other directive.
  [[nodiscard]] size_t behindDisabled(size_t at) const {
    const std::string first = packed(tokens_[at].text);
    if (first != "#if0" && !first.starts_with("#if0/")) return at;
    int depth = 0;
    for (size_t i = at; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != Kind::directive) continue;
      const std::string text = packed(tokens_[i].text);
      if (text.starts_with("#if")) ++depth;
      if (text.starts_with("#endif") && --depth == 0) return i;
      if (depth == 1 && text.starts_with("#el")) return i;
    }
    return tokens_.size();
  }

  /// Up to its "{"; an alias or a using-directive opens nothing.
  size_t enterNamespace(size_t at) {
    std::string name;
    for (size_t i = at + 1; i < tokens_.size(); ++i) {
      const CudaToken& token = tokens_[i];
      if (token.is("{")) {
        scopes_.push_back(name);
        return i;
      }
      const bool isPart = token.kind == Kind::word || token.is("::");
      if (!isPart || token.is("namespace")) return at;
      if (!token.is("inline")) name += token.text;
    }
    return at;
  }

  /// Where the > stands that closes the < at `open`; nothing where none does nearby.
  [[nodiscard]] std::optional<size_t> closingAngle(size_t open) const {
    long depth = 0;
    const size_t end = std::min(tokens_.size(), open + kLongestAngle);
    for (size_t i = open; i < end; ++i) {
      if (isOpen(tokens_[i])) {
        i = behindBracket(tokens_, i) - 1;
      } else if (tokens_[i].is("<")) {
        ++depth;
      } else if (tokens_[i].is(">") || tokens_[i].is(">>>")) {
        depth -= static_cast<long>(tokens_[i].text.size());
        if (depth <= 0) return i;
      }
    }
    return {};
  }

  /// Behind `__global__` at `keyword`. The last list of parameters before the body is the
  /// function's, for attributes and return types may have lists of their own.
  [[nodiscard]] std::optional<KernelHead> headAt(size_t keyword) const {
    KernelHead head;
    bool specialised = false;
    for (size_t at = keyword + 1; at < tokens_.size(); ++at) {
      const CudaToken& token = tokens_[at];
      if (token.is(";") || token.is("__global__") || isClose(token)) return {};
      if (token.is("{")) {
        head.body = at;
        break;
      }
      if (isOpen(token)) {
        at = behindBracket(tokens_, at) - 1;
        continue;
      }
      if (token.kind != Kind::word || at + 1 >= tokens_.size()) continue;
      size_t last = at;  // Of the name with its arguments.
      if (tokens_[at + 1].is("<")) last = closingAngle(at + 1).value_or(at);
      const bool isList = last + 1 < tokens_.size() && tokens_[last + 1].is("(");
      if (isList && std::ranges::find(kAttributes, token.text) == kAttributes.end()) {
        head.name = token.text;
        head.line = lineOf(token);
        head.parameters = last + 1;
        specialised = last > at;
      }
      at = last;
    }
    if (head.body == 0 || head.name.empty() || specialised) return {};
    head.qualified = qualified(head.name);
    addTemplate(head, keyword);
    return head;
  }

  /// A template's list stands at the beginning of the declaration.
  void addTemplate(KernelHead& head, size_t keyword) const {
    const size_t farthest = keyword - std::min(keyword, kLongestDeclaration);
    for (size_t at = keyword; at-- > farthest;) {
      const CudaToken& token = tokens_[at];
      if (token.is(";") || token.is("}") || token.is("{") || token.kind == Kind::directive) return;
      if (!token.is("template") || !tokens_[at + 1].is("<")) continue;
      const std::optional<size_t> close = closingAngle(at + 1);
      if (!close) return;
      head.isTemplate = true;
      head.templateOpen = at + 1;
      head.templateClose = *close;
    }
  }

  [[nodiscard]] std::string qualified(const std::string& name) const {
    std::string text;
    for (const std::string& scope : scopes_)
      if (!scope.empty()) text += scope + "::";
    return text + name;
  }

  [[nodiscard]] int lineOf(const CudaToken& token) const {
    const std::string_view before(source_.data(),
                                  static_cast<size_t>(token.text.data() - source_.data()));
    return 1 + static_cast<int>(std::ranges::count(before, '\n'));
  }

  std::string_view source_;
  const CudaTokens& tokens_;
  std::vector<std::string> scopes_;  ///< Open braces: a namespace's name, or empty.
};

}  // namespace

std::vector<KernelHead> kernelHeads(std::string_view source, const CudaTokens& tokens) {
  return Finder(source, tokens).run();
}

}  // namespace tilestep::compile
