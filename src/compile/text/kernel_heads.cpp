// SPDX-License-Identifier: Apache-2.0
#include "compile/text/kernel_heads.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "compile/text/bracket_pairs.h"
#include "compile/text/headers.h"
#include "compile/text/token_ranges.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr size_t kLongestName = 1024;  ///< Of a function with its namespaces.
constexpr size_t kNone = BracketPairs::kNone;

/// Words in a function's head that have an argument list.
constexpr std::array<std::string_view, 10> kAttributes{
    "__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__block_size__",
    "__declspec",        "alignas",       "noexcept",         "requires",    "decltype"};

/// Whether it is a macro that may define kernels or templates.
bool hidesKernels(const CudaToken& token) {
  if (token.kind != Kind::directive || token.text.find("define") == std::string_view::npos)
    return false;
  return token.text.find("__global__") != std::string_view::npos ||
         token.text.find("template") != std::string_view::npos;
}

class Finder {
 public:
  Finder(std::string_view source, const CudaTokens& tokens)
      : source_(source), tokens_(tokens), pairs_(tokens), scopeOf_(tokens.size(), kNone) {}

  KernelHeads run() {
    found_.complete = pairs_.allMatch();
    for (size_t at = 0; at < tokens_.size(); ++at) {
      const CudaToken& token = tokens_[at];
      if (hidesKernels(token) || isDigraph(at)) found_.complete = false;
      if (token.kind == Kind::directive) noteMacro(token);
      if (pairs_.isDisabled(at) || token.kind == Kind::directive) continue;
      if (token.is(";") || token.is("}")) template_ = {};
      if (token.is("namespace")) nameScope(at);
      if (isOpen(token)) enterScope(at);
      if (token.is("template")) at = enterTemplate(at);
      if (token.is("__global__")) at = kernelAt(at);
    }
    return std::move(found_);
  }

 private:
  struct Scope {
    std::string name;
    size_t outer = kNone;  ///< Index in scopes_.
  };
  struct TemplateList {
    size_t open = 0, close = 0;
  };

  /// Whether the tokens are the digraph <% or %>, which means a brace.
  [[nodiscard]] bool isDigraph(size_t at) const {
    if (at + 1 >= tokens_.size()) return false;
    const CudaToken &first = tokens_[at], &second = tokens_[at + 1];
    return first.text.data() + first.text.size() == second.text.data() &&
           ((first.is("<") && second.is("%")) || (first.is("%") && second.is(">")));
  }

  void noteMacro(const CudaToken& directive) {
    const CudaTokens words = wordsOfDirective(directive.text);
    if (words.size() > 1 && words[0].is("define")) macros_.insert(words[1].text);
  }

  /// If a function's head begins at `keyword`, adds the function and returns its last token.
  size_t kernelAt(size_t keyword) {
    std::optional<KernelHead> head = headAt(keyword);
    template_ = {};
    if (!head) return keyword;
    // Other branches of an #if may have heads for the same body.
    const size_t last = pairs_.isShared(head->body) ? head->body : head->bodyEnd - 1;
    for (size_t at = keyword; at <= head->body; ++at)
      if (isOpen(tokens_[at])) enterScope(at);
    if (head->qualified.size() > kLongestName || macros_.contains(head->name)) {
      found_.complete = false;
    } else if (names_.insert(head->qualified).second) {
      found_.kernels.push_back(std::move(*head));
    }
    return last;
  }

  /// Stores the name after the word `namespace` for its "{". Ignores aliases and using-directives.
  void nameScope(size_t keyword) {
    std::string name;
    for (size_t at = keyword + 1; at < tokens_.size(); ++at) {
      const CudaToken& token = tokens_[at];
      if (token.is("{")) {
        pendingScope_ = {at, name};
        return;
      }
      const bool isPart = token.kind == Kind::word || token.is("::");
      if (!isPart || token.is("namespace") || name.size() > kLongestName) return;
      if (!token.is("inline")) name += token.text;
    }
  }

  void enterScope(size_t open) {
    const size_t around = pairs_.around(open);
    scopeOf_[open] = around == kNone ? kNone : scopeOf_[around];
    if (tokens_[open].is("{")) template_ = {};
    if (pendingScope_.first != open || pendingScope_.second.empty()) return;
    scopes_.push_back({pendingScope_.second, scopeOf_[open]});
    scopeOf_[open] = scopes_.size() - 1;
  }

  /// Stores the list after the word `template` for the next function. Returns its last token.
  size_t enterTemplate(size_t keyword) {
    if (keyword + 1 >= tokens_.size() || !tokens_[keyword + 1].is("<")) return keyword;
    const std::optional<size_t> close = closingAngle(keyword + 1);
    if (!close) {
      found_.complete = false;
      return keyword;
    }
    template_ = {keyword + 1, *close};
    return *close;
  }

  /// The > that closes the < at `open`; nullopt if there is none nearby.
  [[nodiscard]] std::optional<size_t> closingAngle(size_t open) const {
    long depth = 0;
    const size_t end = std::min(tokens_.size(), open + kLongestAngle);
    for (size_t i = open; i < end; ++i) {
      if (pairs_.isDisabled(i)) continue;
      if (isOpen(tokens_[i])) {
        i = pairs_.behind(i) - 1;
      } else if (tokens_[i].is("<")) {
        ++depth;
      } else if (tokens_[i].is(">") || tokens_[i].is(">>>")) {
        depth -= static_cast<long>(tokens_[i].text.size());
        if (depth <= 0) return i;
      }
    }
    return {};
  }

  /// The head after `__global__` at `keyword`. The function's parameter list is the last list
  /// before the body, because attributes and return types may also have lists.
  [[nodiscard]] std::optional<KernelHead> headAt(size_t keyword) {
    KernelHead head;
    size_t name = 0;
    bool specialised = template_.open > 0 && template_.close == template_.open + 1;
    for (size_t at = keyword + 1; at < tokens_.size(); ++at) {
      const CudaToken& token = tokens_[at];
      if (pairs_.isDisabled(at)) continue;
      if (token.is(";") || token.is("__global__") || isClose(token)) return {};
      if (token.is("{")) {
        head.body = at;
        break;
      }
      if (isOpen(token)) {
        at = pairs_.behind(at) - 1;
        continue;
      }
      if (token.kind != Kind::word || at + 1 >= tokens_.size()) continue;
      size_t last = at;  // The last token of the name and its arguments.
      if (tokens_[at + 1].is("<")) last = closingAngle(at + 1).value_or(at);
      const bool isList = last + 1 < tokens_.size() && tokens_[last + 1].is("(");
      if (isList && std::ranges::find(kAttributes, token.text) == kAttributes.end()) {
        name = at;
        head.parameters = last + 1;
        if (last > at) specialised = true;
      }
      at = last;
    }
    if (head.body == 0 || name == 0 || specialised) return {};
    complete(head, name);
    return head;
  }

  void complete(KernelHead& head, size_t name) {
    head.name = tokens_[name].text;
    head.line = lineOf(tokens_[name]);
    head.parametersEnd = pairs_.behind(head.parameters);
    head.bodyEnd = pairs_.isClosed(head.body) ? pairs_.behind(head.body) : head.body + 1;
    head.isTemplate = template_.open > 0;
    head.templateOpen = template_.open;
    head.templateClose = template_.close;
    head.qualified = head.name;
    const size_t around = pairs_.around(head.body);
    size_t scope = around == kNone ? kNone : scopeOf_[around];
    while (scope != kNone && head.qualified.size() <= kLongestName) {
      head.qualified = scopes_[scope].name + "::" + head.qualified;
      scope = scopes_[scope].outer;
    }
  }

  /// The line of the token. Call this for tokens in ascending order.
  [[nodiscard]] int lineOf(const CudaToken& token) {
    const char* end = token.text.data();
    line_ += static_cast<int>(std::count(counted_, end, '\n'));
    counted_ = end;
    return line_;
  }

  std::string_view source_;
  const CudaTokens& tokens_;
  const BracketPairs pairs_;
  std::vector<Scope> scopes_;    ///< Namespaces with names.
  std::vector<size_t> scopeOf_;  ///< For an opening bracket, the namespace inside it.
  std::pair<size_t, std::string> pendingScope_;  ///< The "{" of a namespace, and its name.
  TemplateList template_;  ///< Of the current declaration; `open` is 0 if it has none.
  std::set<std::string> names_;
  std::set<std::string_view> macros_;  ///< Defined so far. They may rename functions.
  KernelHeads found_;
  const char* counted_ = source_.data();  ///< Lines are counted up to here.
  int line_ = 1;
};

}  // namespace

KernelHeads kernelHeads(std::string_view source, const CudaTokens& tokens) {
  return Finder(source, tokens).run();
}

}  // namespace tilestep::compile
