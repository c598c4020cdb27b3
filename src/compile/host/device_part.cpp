// SPDX-License-Identifier: Apache-2.0
#include "compile/host/device_part.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "compile/host/declaration.h"
#include "compile/host/host_names.h"
#include "compile/text/headers.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

/// Lines that end in a backslash made one.
std::string withoutLineBreaks(std::string_view text) {
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

/// Brings in what no device header is: a header of the host, a file of this machine, anything that
/// is spelt so that it cannot be told.
bool isHostInclude(std::string_view text) {
  const std::string directive = withoutLineBreaks(text);
  const CudaTokens words = wordsOfDirective(directive);
  const bool plain = !words.empty() && words[0].is("include");
  const bool other = !words.empty() &&
                     (words[0].is("include_next") || words[0].is("import") || words[0].is("embed"));
  if (!plain) return other;
  return !isIncludable(headerOf(directive));
}

bool showsHostCode(const CudaTokens& tokens) {
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
  Cutter(std::string_view source, const CudaTokens& tokens, const std::vector<size_t>& partner,
         const HostSigns& signs)
      : source_(source),
        tokens_(tokens),
        reader_(tokens, partner),
        signs_(signs),
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
      } else if (const size_t behind = reader_.behindMacro(i); behind > i) {
        i = behind;
      } else if (const auto inside = reader_.openedScope(i)) {
        ++scopes;
        i = *inside;
      } else {
        i = declaration(i);
      }
    }
    leaveOutUnusedTypes();
    return std::move(result_);
  }

 private:
  /// Reads one, leaves it out if it is the host's, and says where the next begins.
  size_t declaration(size_t first) {
    const Declaration found = reader_.read(first);
    const std::string_view name = found.name ? tokens_[*found.name].text : std::string_view();
    if (isKernel(found)) hostNames_.insert(name);
    if (signs_.isProgram && isHostCode(found) && !specialises(found)) {
      leaveOut(found);
      if (found.isFunction && tokens_[*found.name].kind == Kind::word)
        result_.functions.push_back({std::string(name), lineOf(*found.name)});
    } else if (found.isType && tokens_[first].is("template")) {
      if (const auto own = templatesName(found)) templates_.insert(*own);
    } else if (!found.isDevice && found.isType) {
      types_.push_back(found);
    } else if (isWrongHostCode(found)) {
      leaveOut(found);
      for (const std::string_view each : reader_.namesOf(found))
        result_.values.insert(std::string(each));
    }
    return found.end;
  }

  void leaveOut(const Declaration& found) {
    blank(found.first, found.end, false);
    if (found.isFunction) hostNames_.insert(tokens_[*found.name].text);
    for (const std::string_view name : reader_.namesOf(found)) hostNames_.insert(name);
  }

  /// The name of a template of a structure.
  [[nodiscard]] std::optional<std::string_view> templatesName(const Declaration& found) const {
    for (size_t i = found.first; i + 1 < found.end; ++i) {
      const bool isHead = tokens_[i].is("struct") || tokens_[i].is("class");
      const size_t behind = i + 2;
      const bool isOwn =
          behind < found.end && (tokens_[behind].is("{") || tokens_[behind].is(":") ||
                                 tokens_[behind].is(";") || tokens_[behind].is("<"));
      if (isHead && isOwn) return tokens_[i + 1].text;
    }
    return std::nullopt;
  }

  /// Whether it specialises a template that stays: without it, the general one would be used.
  [[nodiscard]] bool specialises(const Declaration& found) const {
    if (!found.isType || !tokens_[found.first].is("template")) return false;
    const auto name = templatesName(found);
    return name && templates_.contains(*name);
  }

  [[nodiscard]] static bool isHostCode(const Declaration& found) {
    if (found.isDevice) return false;
    if (found.isFunction) return !found.isConstant || found.namesHost;
    return found.namesHost || found.isVariable;
  }

  /// Whether the compiler finds fault with it, and nvcc may not: a constant whose value the host
  /// works out, or what is made of other code of the host.
  [[nodiscard]] bool isWrongHostCode(const Declaration& found) const {
    if (found.isDevice || found.isFunction || found.isConstant ||
        tokens_[found.first].is("template") || !isWrong(found))
      return false;
    if (tokens_[found.first].is("static_assert")) return mentionsHost(found, found.first);
    if (signs_.isProgram) return true;
    const size_t value = found.value.value_or(found.first);
    return mayCallHost(found, value) || mentionsHost(found, value);
  }

  [[nodiscard]] bool isWrong(const Declaration& found) const {
    const auto line = signs_.wrongLines.lower_bound(lineOf(found.first));
    return line != signs_.wrongLines.end() && *line <= lineOf(found.end - 1);
  }

  [[nodiscard]] bool mayCallHost(const Declaration& found, size_t from) const {
    for (size_t i = from; i < found.end; ++i)
      if (reader_.mayCallHost(i)) return true;
    return false;
  }

  /// Whether it names a variable or a function that was left out, or a kernel.
  [[nodiscard]] bool mentionsHost(const Declaration& found, size_t from) const {
    for (size_t i = from; i < found.end; ++i) {
      const bool isMember = i > 0 && (tokens_[i - 1].is(".") || tokens_[i - 1].is("::"));
      if (!isMember && hostNames_.contains(tokens_[i].text)) return true;
    }
    return false;
  }

  [[nodiscard]] bool isKernel(const Declaration& found) const {
    if (!found.isDevice || !found.name) return false;
    for (size_t i = found.first; i < *found.name; ++i)
      if (tokens_[i].is("__global__")) return true;
    return false;
  }

  /// Leaves out types with which the compiler finds fault and which the rest of the text does not
  /// mention: they are the host's.
  void leaveOutUnusedTypes() {
    const bool isAsked =
        std::ranges::any_of(types_, [&](const Declaration& type) { return isWrongType(type); });
    if (!isAsked) return;
    const auto used = usedTypes();
    if (!used) return;
    for (size_t i = 0; i < types_.size(); ++i) {
      const bool isNamed = !reader_.namesOf(types_[i]).empty();
      if (isNamed && !used->contains(i) && isWrongType(types_[i])) leaveOut(types_[i]);
    }
  }

  [[nodiscard]] bool isWrongType(const Declaration& type) const {
    return isWrong(type) && (signs_.isProgram || mayCallHost(type, type.first));
  }

  /// Of types_, those that are mentioned by what is no type, or by a used type. Nothing where that
  /// cannot be told, because macros paste names together.
  [[nodiscard]] std::optional<std::set<size_t>> usedTypes() const {
    std::multimap<std::string_view, size_t> byName;
    std::vector<bool> isType(tokens_.size());
    for (size_t i = 0; i < types_.size(); ++i) {
      for (const std::string_view name : reader_.namesOf(types_[i])) byName.emplace(name, i);
      for (size_t at = types_[i].first; at < types_[i].end; ++at) isType[at] = true;
    }
    std::set<size_t> used;
    std::vector<size_t> fresh;
    const auto use = [&](std::string_view word) {
      const auto [begin, end] = byName.equal_range(word);
      for (auto each = begin; each != end; ++each)
        if (used.insert(each->second).second) fresh.push_back(each->second);
      byName.erase(begin, end);
    };
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Kind::directive) {
        if (tokens_[i].text.find("##") != std::string_view::npos) return std::nullopt;
        for (const CudaToken& word : wordsOfDirective(tokens_[i].text)) use(word.text);
      } else if (!isOut_[i] && !isType[i]) {
        use(tokens_[i].text);
      }
    }
    while (!fresh.empty()) {
      const Declaration& type = types_[fresh.back()];
      fresh.pop_back();
      for (size_t i = type.first; i < type.end; ++i) use(tokens_[i].text);
    }
    return used;
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
  const CudaTokens& tokens_;
  DeclarationReader reader_;
  const HostSigns& signs_;
  DevicePart result_;
  std::vector<size_t> lineEnds_;
  std::vector<bool> isOut_;  ///< By token.
  /// Names of what was left out, and of kernels, which only the host may name.
  std::set<std::string_view> hostNames_;
  std::set<std::string_view> templates_;  ///< Of structures, and still there.
  std::vector<Declaration> types_;        ///< Not marked as the device's, and still there.
};

}  // namespace

bool isProgram(std::string_view text) {
  return showsHostCode(cudaTokens(text));
}

DevicePart devicePart(std::string_view text, const HostSigns& signs) {
  const CudaTokens tokens = cudaTokens(text);
  HostSigns all = signs;
  all.isProgram = signs.isProgram || showsHostCode(tokens);
  if (!all.isProgram && all.wrongLines.empty()) return {std::string(text), {}, {}};
  const auto partner = matchBrackets(tokens);
  if (partner)
    if (auto part = Cutter(text, tokens, *partner, all).run()) return std::move(*part);
  return Cutter(text, tokens, {}, all).withoutIncludes();
}

}  // namespace tilestep::compile
