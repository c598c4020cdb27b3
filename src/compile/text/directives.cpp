// SPDX-License-Identifier: Apache-2.0
#include "compile/text/directives.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "compile/text/headers.h"
#include "compile/text/pasted_names.h"
#include "compile/text/source_place.h"
#include "compile/text/token_ranges.h"

namespace tilestep::compile {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
/// Characters that some compilers treat as letters, others as whitespace or errors.
bool isStrange(char c) {
  return static_cast<unsigned char>(c) >= 0x80 || c == '$';
}

/// Operators that test whether a file exists.
constexpr std::array<std::string_view, 3> kAskHeaders = {"__has_include", "__has_include_next",
                                                         "__has_embed"};
constexpr std::array<std::string_view, 5> kFilePragmas = {"dependency", "include_alias", "hdrstop",
                                                          "import", "module"};
/// Names that ## must not form. "dependency" matters only together with _Pragma.
constexpr std::array<std::string_view, 5> kUnpasted = {"__has_include", "__has_include_next",
                                                       "__has_embed", "_Pragma", "dependency"};
constexpr std::array<std::string_view, 5> kRawPrefixes = {"R", "LR", "uR", "UR", "u8R"};
constexpr std::array<std::string_view, 2> kConflictMarks = {"<<<<<<<", ">>>> "};
/// The trigraphs of # and of the backslash.
constexpr std::array<std::string_view, 2> kTrigraphs = {
    "?"
    "?=",
    "?"
    "?/"};
constexpr std::string_view kRemedy =
    "only headers of the compiler, such as <cuda_fp16.h> and <cstdint>, may be included, by a "
    "plain name: put other code that the kernel needs into its own file";

/// Searches for the words of `GCC dependency "FILE"` or `clang module`, which _Pragma may get from
/// a literal or from macros.
struct DependencyPragma {
  int line = 0;           ///< The first line with "dependency" or "module"; 0 if none.
  bool hasSpace = false;  ///< "GCC" or "clang" occurs.

  void add(std::string_view word, int at) {
    if ((word == "dependency" || word == "module") && line == 0) line = at;
    hasSpace = hasSpace || word == "GCC" || word == "clang";
  }
  void addAll(std::string_view text, int at) {
    for (size_t begin = 0; begin < text.size();) {
      size_t end = begin;
      while (end < text.size() && isWord(text[end])) ++end;
      add(text.substr(begin, end - begin), at);
      begin = end + 1;
    }
  }
  [[nodiscard]] bool isWhole() const { return line > 0 && hasSpace; }
};

class Preprocessed {
 public:
  Preprocessed(std::string_view text, const std::string& path)
      : text_(text), at_(text), path_(path) {}

  Status check() {
    if (Status plain = checkCharacters(); !plain) return plain;
    bool isLineStart = true;
    while (!at_.isAtEnd()) {
      if (Status read = next(isLineStart); !read) return read;
      if (at_.doubtfulJoin() > 0)
        return refused(
            at_.doubtfulJoin(),
            "Only some compilers join lines at a backslash followed by blanks: remove the blanks");
    }
    return checkPragmas();
  }

 private:
  /// Checks characters that matter even in comments and literals.
  [[nodiscard]] Status checkCharacters() const {
    int line = 1;
    for (size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') ++line;
      if (text_[i] == '\r' && !text_.substr(i + 1).starts_with('\n'))
        return refused(line,
                       "A carriage return ends a line only in some compilers: use a line feed");
      if (isOneOf(text_.substr(i, 3), kTrigraphs))
        return refused(line,
                       "The trigraph " + std::string(text_.substr(i, 3)) + " is not accepted");
    }
    return {};
  }

  /// Reads the next whitespace, comment, directive or token.
  Status next(bool& isLineStart) {
    if (at_.now() == '\n') {
      isLineStart = true;
      at_.step();
      return {};
    }
    if (isBlank(at_.now())) {
      at_.step();
      return {};
    }
    const int line = at_.line();
    if (skipComment()) {
      // For NVRTC, a new line begins after a comment that spans lines.
      isLineStart = isLineStart || at_.line() != line;
      return {};
    }
    if (isLineStart && skipSign()) return directive();
    isLineStart = false;
    return piece(nullptr);
  }

  /// Skips # or %:.
  bool skipSign() {
    const bool isDigraph = at_.now() == '%' && at_.next() == ':';
    if (at_.now() != '#' && !isDigraph) return false;
    at_.step();
    if (isDigraph) at_.step();
    return true;
  }

  bool skipComment() {
    if (at_.now() != '/') return false;
    const char next = at_.next();
    if (next == '/') {
      while (!at_.isAtEnd() && at_.now() != '\n') at_.step();
      return true;
    }
    if (next != '*') return false;
    at_.step();
    at_.step();
    while (!at_.isAtEnd() && !(at_.now() == '*' && at_.next() == '/')) stepInComment();
    at_.step();
    at_.step();
    return true;
  }
  /// In a comment, joined lines matter only between * and /.
  void stepInComment() {
    const int before = at_.doubtfulJoin();
    const bool isStar = at_.now() == '*';
    at_.step();
    if (!isStar) at_.setDoubtfulJoin(before);
  }

  /// Reads a word, number, literal or symbol, and appends it to `words` unless this is null.
  Status piece(std::vector<std::string>* words) {
    const int line = at_.line();
    const char c = at_.now();
    if (isStrange(c))
      return refused(
          line, c == '$' ? "$ is accepted only in comments and literals"
                         : "A character outside ASCII is accepted only in comments and literals");
    for (const std::string_view mark : kConflictMarks)
      if (at_.beginsLineWith(mark)) return refused(line, "Unresolved merge-conflict marker");
    std::string text;
    Status read;
    if (c == '"' || c == '\'') {
      text = literal(c);
    } else if (isDigit(c)) {
      read = number(text);
    } else if (isWord(c)) {
      read = word(text, words != nullptr);
    } else {
      sign(text);
    }
    if (words != nullptr) words->push_back(std::move(text));
    return read;
  }

  Status number(std::string& text) {
    const auto isExponent = [&] {
      return (at_.now() == '+' || at_.now() == '-') &&
             std::string_view("eEpP").find(text.back()) != std::string_view::npos;
    };
    take(text);
    while (isWord(at_.now()) || at_.now() == '.' || isExponent() ||
           (at_.now() == '\'' && isWord(at_.next())))
      take(text);
    literalEnd_ = at_.offset();
    const bool isLiteral = at_.now() == '\'' || (text.ends_with('R') && at_.now() == '"');
    return isLiteral ? touches() : Status();
  }

  Status word(std::string& text, bool inDirective) {
    const int line = at_.line();
    const bool isBehindLiteral = literalEnd_ == at_.offset();
    while (isWord(at_.now())) take(text);
    if (isOneOf(text, kAskHeaders)) return refused(line, text + " is not accepted");
    pasted_.add(text);
    usesPragmaOperator_ = usesPragmaOperator_ || text == "_Pragma";
    inCode_.add(text, line);
    if (!text.ends_with('R') || at_.now() != '"') return {};
    if (isBehindLiteral || !isOneOf(text, kRawPrefixes)) return touches();
    return rawString(inDirective);
  }

  Status rawString(bool inDirective) {
    const int line = at_.line();
    const auto behind = at_.behindRawString();
    if (!behind)
      return refused(line,
                     "A raw string is not closed, or its delimiter is not plain (at most 16 "
                     "letters and digits)");
    if (inDirective && behind->line() != line)
      return refused(line, "A raw string in a directive must end on its line");
    noteLiteral(at_.upTo(*behind), line);
    at_ = *behind;
    literalEnd_ = at_.offset();
    return {};
  }
  /// The error for a literal whose start some compilers treat as part of the preceding token.
  [[nodiscard]] Status touches() const {
    return refused(
        at_.line(),
        "A literal must not directly follow a number, and a raw string must not directly follow "
        "a name or another literal: insert a blank");
  }

  void take(std::string& text) {
    text += at_.now();
    at_.step();
  }
  /// Reads a symbol, and records ##.
  void sign(std::string& text) {
    const int line = at_.line();
    const char before = std::exchange(sign_, at_.now());
    const bool isBehindSign = signEnd_ == at_.offset();
    take(text);
    signEnd_ = at_.offset();
    const bool isPaste = isBehindSign && ((before == '#' && sign_ == '#') ||
                                          (before == ':' && sign_ == '%' && at_.now() == ':'));
    if (isPaste && pasteLine_ == 0) pasteLine_ = line;
  }
  /// Reads a literal, up to its closing quote or the end of the line.
  std::string literal(char quote) {
    std::string text;
    const int line = at_.line();
    take(text);
    while (!at_.isAtEnd() && at_.now() != '\n' && at_.now() != quote) {
      if (at_.now() == '\\') take(text);
      if (!at_.isAtEnd() && at_.now() != '\n') take(text);
    }
    if (at_.now() == quote) take(text);
    literalEnd_ = at_.offset();
    noteLiteral(text, line);
    return text;
  }

  /// Reads a directive after its #.
  Status directive() {
    const int line = at_.line();
    std::vector<std::string> words;
    while (!at_.isAtEnd() && at_.now() != '\n') {
      if (isBlank(at_.now())) {
        at_.step();
      } else if (words.size() == 1 && words[0] == "include" && isHeaderName()) {
        words.push_back(headerName());
      } else if (words.size() == 1 && (words[0] == "error" || words[0] == "warning")) {
        return message(line);
      } else if (!skipComment()) {
        if (Status read = piece(&words); !read) return read;
      }
    }
    return judge(words, line);
  }

  [[nodiscard]] bool isHeaderName() const { return at_.now() == '<' || at_.now() == '"'; }
  /// Reads a header name, in which backslashes and comment openers have no meaning.
  std::string headerName() {
    std::string name;
    const char close = at_.now() == '<' ? '>' : '"';
    take(name);
    while (!at_.isAtEnd() && at_.now() != '\n' && at_.now() != close) take(name);
    if (at_.now() == close) take(name);
    return name;
  }
  /// Reads the text of #error. In some compilers it always ends with its line; in others, a comment
  /// or raw string in the text continues.
  Status message(int line) {
    std::string text;
    while (!at_.isAtEnd() && at_.now() != '\n') take(text);
    if (text.find("/*") == std::string::npos && text.find("R\"") == std::string::npos) return {};
    return refused(line,
                   "The text of #error or #warning must not contain a comment or a raw string");
  }

  [[nodiscard]] Status judge(const std::vector<std::string>& words, int line) const {
    if (words.empty()) return {};
    const std::string& name = words[0];
    if (name == "line" || isDigit(name[0]))
      return refused(line, "#line is not accepted: messages must refer to the file's own lines");
    if (name == "pragma" && words.size() > 1) {
      for (const std::string& word : words)
        if (isOneOf(word, kFilePragmas))
          return refused(line, "#pragma " + words[1] + " with " + word + " is not accepted");
      return {};
    }
    if (name == "include") {
      const std::string header = words.size() == 2 ? words[1] : std::string();
      const char close = header.starts_with('<') ? '>' : '"';
      if (header.size() > 2 && header.back() == close &&
          isPlainHeader(header.substr(1, header.size() - 2)))
        return {};
      return refused(line, "#include " + (header.empty() ? "of a macro's value" : header) +
                               " is not accepted: " + std::string(kRemedy));
    }
    if (name == "include_next" || name == "import" || name == "embed")
      return refused(line, "#" + name + " is not accepted: " + std::string(kRemedy));
    return {};
  }

  void noteLiteral(std::string_view text, int line) {
    DependencyPragma inside;
    inside.addAll(text, line);
    if (inside.isWhole() && inLiteral_ == 0) inLiteral_ = line;
  }
  /// Checks _Pragma and ## for the whole source.
  [[nodiscard]] Status checkPragmas() const {
    const int dependency = inCode_.isWhole() ? inCode_.line : inLiteral_;
    if (usesPragmaOperator_ && dependency > 0)
      return refused(dependency, "A pragma with dependency or module is not accepted");
    const std::string name(pasteLine_ > 0 ? pasted_.possible() : std::string_view());
    if (name.empty() || (name == "dependency" && !usesPragmaOperator_)) return {};
    return refused(pasteLine_, "## could form " + name + ", which is not accepted");
  }

  [[nodiscard]] Error refused(int line, std::string message) const {
    Error error = requestError(std::move(message));
    error.where = TextLocation{path_, line, 0};
    return error;
  }

  std::string_view text_;
  SourcePlace at_;
  const std::string& path_;
  static constexpr size_t kNowhere = static_cast<size_t>(-1);
  size_t literalEnd_ = kNowhere;  ///< The end of the last number or literal.
  size_t signEnd_ = kNowhere;     ///< The end of the last symbol, `sign_`.
  char sign_ = ' ';
  bool usesPragmaOperator_ = false;
  DependencyPragma inCode_;
  int inLiteral_ = 0;  ///< The line of a DependencyPragma in a literal; 0 if none.
  int pasteLine_ = 0;  ///< The line of the first ##; 0 if none.
  PastedNames pasted_{{kUnpasted.begin(), kUnpasted.end()}};
};

}  // namespace

Status checkDirectives(std::string_view text, const std::string& path) {
  return Preprocessed(text, path).check();
}

}  // namespace tilestep::compile
