// SPDX-License-Identifier: Apache-2.0
#include "features/program/fixes.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "compile/text/cuda_lexer.h"
#include "compile/text/token_ranges.h"

namespace tilestep::features::program {
namespace {

using compile::CudaToken;
using compile::CudaTokens;
using lab::ProgramFinding;
using Lines = std::vector<std::string>;

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string indentOf(const std::string& line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

/// The last sign of code in a line, without comments; 0: there is none.
char lastSign(const std::string& line) {
  const CudaTokens tokens = compile::cudaTokens(line);
  return tokens.empty() ? '\0' : tokens.back().text.back();
}

/// The text as lines and tokens, with how deep in braces each line begins.
class CodeText {
 public:
  explicit CodeText(std::string_view text)
      : lines(linesOf(text)), text_(text), tokens_(compile::cudaTokens(text)) {
    int depth = 0;
    size_t token = 0, offset = 0;
    for (const std::string& line : lines) {
      while (token < tokens_.size() && offsetOf(token) < offset) {
        depth += tokens_[token].is("{") ? 1 : tokens_[token].is("}") ? -1 : 0;
        ++token;
      }
      depths.push_back(depth);
      starts_.push_back(offset);
      offset += line.size() + 1;
    }
  }

  [[nodiscard]] const CudaTokens& tokens() const { return tokens_; }
  [[nodiscard]] size_t offsetOf(size_t token) const {
    return static_cast<size_t>(tokens_[token].text.data() - text_.data());
  }
  /// The first token of the line or behind it.
  [[nodiscard]] size_t firstIn(uint32_t line) const {
    const size_t start = line == 0 || line > starts_.size() ? text_.size() : starts_[line - 1];
    size_t i = 0;
    while (i < tokens_.size() && offsetOf(i) < start) ++i;
    return i;
  }
  /// The text with other lines.
  [[nodiscard]] std::string with(const Lines& changed) const {
    std::string all;
    for (size_t i = 0; i < changed.size(); ++i)
      all += changed[i] + (i + 1 < changed.size() || text_.ends_with('\n') ? "\n" : "");
    return all;
  }
  /// The text with another piece in place of the tokens first to end.
  [[nodiscard]] std::string with(size_t first, size_t end, const std::string& piece) const {
    std::string all(text_);
    const size_t from = offsetOf(first);
    const size_t to = offsetOf(end - 1) + tokens_[end - 1].text.size();
    return all.replace(from, to - from, piece);
  }

  Lines lines;
  std::vector<int> depths;

 private:
  std::string_view text_;
  CudaTokens tokens_;
  std::vector<size_t> starts_;
};

CodeFix changed(std::string title, std::string_view from, std::string text) {
  CodeFix fix;
  fix.title = std::move(title);
  fix.changes = changesBetween(from, text, fix.line);
  fix.text = std::move(text);
  return fix;
}

// --- A missing barrier ---

bool isRaceInShared(const ProgramFinding& finding) {
  return finding.message.find("a __syncthreads() is missing") != std::string::npos &&
         finding.otherLine > 0;
}

/// Whether a statement may begin in this line: the one before it is complete.
bool beginsStatement(const CodeText& text, size_t line) {
  for (size_t i = line; i-- > 0;) {
    const char last = lastSign(text.lines[i]);
    if (last == '\0') continue;
    return last == ';' || last == '{' || last == '}' || text.lines[i].starts_with('#');
  }
  return true;
}

/// Whether the block of that depth around the line is a loop's.
bool isInLoop(const CodeText& text, size_t line, int depth) {
  size_t open = line;
  while (open > 0 && text.depths[open] >= depth) --open;
  // The brace may have a line of its own.
  for (size_t i = open + 1; i-- > 0 && i + 2 > open;) {
    for (const CudaToken& token : compile::cudaTokens(text.lines[i]))
      if (token.is("for") || token.is("while") || token.is("do")) return true;
    if (i == 0) break;
  }
  return false;
}

/// Lines, from 0, between which a barrier orders the two accesses: before the second where that
/// stands below the first, else at the end of the loop that holds both.
std::optional<size_t> lineForBarrier(const CodeText& text, size_t first, size_t second) {
  if (first >= text.lines.size() || second >= text.lines.size() || first == second)
    return std::nullopt;
  if (first < second) {
    int least = text.depths[second];
    for (size_t i = first + 1; i <= second; ++i) least = std::min(least, text.depths[i]);
    for (size_t i = second; i > first; --i)
      if (text.depths[i] == least && beginsStatement(text, i)) return i;
    return std::nullopt;
  }
  int inner = text.depths[first];
  for (size_t i = second; i <= first; ++i) inner = std::min(inner, text.depths[i]);
  // In a function that is called again, rather than in a loop, the next call has to wait.
  if (!isInLoop(text, second, inner))
    return beginsStatement(text, second) ? std::optional(second) : std::nullopt;
  for (size_t i = first + 1; i < text.lines.size(); ++i)
    if (text.depths[i] == inner && text.lines[i].find('}') != std::string::npos &&
        (i + 1 == text.lines.size() || text.depths[i + 1] < inner))
      return beginsStatement(text, i) ? std::optional(i) : std::nullopt;
  return std::nullopt;
}

std::optional<CodeFix> addBarrier(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  const auto line = lineForBarrier(text, finding.otherLine - 1, finding.line - 1);
  if (!line) return std::nullopt;
  Lines lines = text.lines;
  const bool closes = lines[*line].find_first_not_of(" \t}") == std::string::npos;
  const std::string indent = indentOf(lines[*line]) + (closes ? "  " : "");
  lines.insert(lines.begin() + static_cast<ptrdiff_t>(*line), indent + "__syncthreads();");
  return changed("Add __syncthreads() before line " + std::to_string(*line + 1), source,
                 text.with(lines));
}

// --- A missing guard ---

/// The tokens of the function around a line: its parameters and its body.
struct FunctionAround {
  size_t open = 0, close = 0;  ///< The brackets of the parameters.
  size_t body = 0;             ///< The brace.
};

std::optional<FunctionAround> functionAround(const CodeText& text, size_t at) {
  const CudaTokens& tokens = text.tokens();
  std::optional<FunctionAround> found;
  for (size_t i = 0; i < std::min(at, tokens.size()); ++i) {
    if (!tokens[i].is("__global__")) continue;
    size_t body = i;
    while (body < tokens.size() && !tokens[body].is("{") && !tokens[body].is(";")) ++body;
    if (body >= tokens.size() || !tokens[body].is("{")) continue;
    size_t close = body;
    while (close > i && !tokens[close].is(")")) --close;
    size_t open = close;
    for (int depth = 0; open > i; --open) {
      depth += tokens[open].is(")") ? 1 : tokens[open].is("(") ? -1 : 0;
      if (depth == 0) break;
    }
    found = FunctionAround{open, close, body};
  }
  return found;
}

/// The whole numbers among the parameters, in their order.
std::vector<std::string> countsOf(const CudaTokens& tokens, const FunctionAround& function) {
  constexpr std::string_view kTypes[] = {"int", "unsigned", "size_t", "long", "uint", "int64_t"};
  std::vector<std::string> names;
  for (const CudaTokens& each :
       compile::atCommas(compile::slice(tokens, function.open + 1, function.close))) {
    const auto has = [&](std::string_view word) {
      return std::ranges::any_of(each, [&](const CudaToken& token) { return token.is(word); });
    };
    const bool isWhole = std::ranges::any_of(kTypes, has) && !has("*") && !has("[");
    if (isWhole && each.back().kind == CudaToken::Kind::word) names.emplace_back(each.back().text);
  }
  return names;
}

/// A variable of the kernel that numbers its threads over the grid: "i", and along which axis.
struct GridIndex {
  std::string name;
  char axis = 'x';
};

std::vector<GridIndex> gridIndices(const CodeText& text, const FunctionAround& function,
                                   size_t end) {
  const CudaTokens& tokens = text.tokens();
  std::vector<GridIndex> found;
  for (size_t i = function.body; i + 1 < end; ++i) {
    if (!tokens[i].is("=") || tokens[i - 1].kind != CudaToken::Kind::word) continue;
    char axis = 0;
    bool usesBlock = false, usesThread = false;
    for (size_t k = i + 1; k + 2 < end && !tokens[k].is(";") && !tokens[k].is(","); ++k) {
      usesThread = usesThread || tokens[k].is("threadIdx");
      if (!tokens[k].is("blockIdx")) continue;
      usesBlock = true;
      axis = tokens[k + 2].text.front();
    }
    if (usesBlock && usesThread) found.push_back({std::string(tokens[i - 1].text), axis});
  }
  return found;
}

/// "i < n", "row < rows && col < columns".
std::string guardFor(const std::vector<GridIndex>& indices, const std::vector<std::string>& counts,
                     const std::set<std::string, std::less<>>& used) {
  std::string guard;
  const auto along = std::ranges::count(indices, 'y', &GridIndex::axis);
  for (const GridIndex& index : indices) {
    if (!used.contains(index.name)) continue;
    // Rows are numbered along y, and named before columns.
    const bool isColumn = index.axis == 'x' && along > 0;
    const std::string& count = isColumn && counts.size() > 1 ? counts[1] : counts.front();
    guard += (guard.empty() ? "" : " && ") + index.name + " < " + count;
  }
  return guard;
}

std::optional<CodeFix> addGuard(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  if (finding.line == 0 || finding.line > text.lines.size()) return std::nullopt;
  const size_t first = text.firstIn(finding.line), end = text.firstIn(finding.line + 1);
  const auto function = functionAround(text, first);
  if (!function || first <= function->body) return std::nullopt;
  const std::vector<std::string> counts = countsOf(text.tokens(), *function);
  // Which of three numbers bounds which index is not to be seen.
  if (counts.empty() || counts.size() > 2) return std::nullopt;
  std::set<std::string, std::less<>> used;
  for (size_t i = first; i < end; ++i) used.emplace(text.tokens()[i].text);
  const std::vector<GridIndex> indices = gridIndices(text, *function, first);
  const auto isUsed = [&](const GridIndex& index) { return used.contains(index.name); };
  const auto count = static_cast<size_t>(std::ranges::count_if(indices, isUsed));
  if (counts.size() == 2 && count != 2) return std::nullopt;
  const std::string guard = guardFor(indices, counts, used);
  const std::string& line = text.lines[finding.line - 1];
  // One whole statement, which sets no new variable.
  const size_t word = line.find_first_not_of(" \t");
  if (guard.empty() || word == std::string::npos || !line.ends_with(';') ||
      !beginsStatement(text, finding.line - 1) || line.find(guard) != std::string::npos)
    return std::nullopt;
  const bool isDeclared = first + 1 < end && text.tokens()[first].kind == CudaToken::Kind::word &&
                          text.tokens()[first + 1].kind == CudaToken::Kind::word;
  if (isDeclared) return std::nullopt;
  Lines lines = text.lines;
  lines[finding.line - 1].insert(word, "if (" + guard + ") ");
  return changed("Guard line " + std::to_string(finding.line) + " by " + guard, source,
                 text.with(lines));
}

/// "float acc;" becomes "float acc = 0;": the nearest variable above that the line changes or uses.
std::optional<CodeFix> setVariable(const ProgramFinding& finding, std::string_view source) {
  constexpr std::string_view kTypes[] = {"int", "unsigned", "float", "double", "long", "size_t"};
  const CodeText text(source);
  const CudaTokens& tokens = text.tokens();
  const size_t first = text.firstIn(finding.line), end = text.firstIn(finding.line + 1);
  std::set<std::string_view> used;
  for (size_t i = first; i < end; ++i)
    if (tokens[i].kind == CudaToken::Kind::word) used.insert(tokens[i].text);
  for (size_t i = first; i-- > 1;) {
    if (tokens[i].is("__global__")) return std::nullopt;
    const bool isTyped = used.contains(tokens[i].text) &&
                         std::ranges::find(kTypes, tokens[i - 1].text) != std::end(kTypes);
    size_t stop = i + 1;  // Behind the extents of an array.
    while (stop < tokens.size() && !tokens[stop].is(";") && !tokens[stop].is("=")) ++stop;
    const bool isArray = i + 1 < tokens.size() && tokens[i + 1].is("[");
    const bool isUnset = stop < tokens.size() && tokens[stop].is(";") && (isArray || stop == i + 1);
    if (!isTyped || !isUnset) continue;
    const std::string name(tokens[i].text), last(tokens[stop - 1].text);
    return changed("Begin " + name + " at 0", source,
                   text.with(stop - 1, stop, last + (isArray ? " = {}" : " = 0")));
  }
  return std::nullopt;
}

// --- The host ---

/// The call in a line: its name's token and its brackets.
struct CallAt {
  size_t name = 0, open = 0, close = 0;
};

std::optional<CallAt> callIn(const CodeText& text, uint32_t line, std::string_view beginning) {
  const CudaTokens& tokens = text.tokens();
  const size_t end = text.firstIn(line + 1);
  for (size_t i = text.firstIn(line); i + 1 < end; ++i) {
    if (!tokens[i].text.starts_with(beginning) || !tokens[i + 1].is("(")) continue;
    const auto pairs = compile::matchBrackets(tokens);
    if (pairs) return CallAt{i, i + 1, (*pairs)[i + 1]};
  }
  return std::nullopt;
}

/// Elements where bytes are meant: "n" becomes "n * sizeof(*d_x)".
std::optional<CodeFix> countBytes(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  std::optional<CallAt> call = callIn(text, finding.line, "cudaMemcpy");
  const bool isCopy = call.has_value();
  if (!call) call = callIn(text, finding.line, "cudaMalloc");
  if (!call) call = callIn(text, finding.line, "cudaMemset");
  if (!call) return std::nullopt;
  const CudaTokens inside = compile::slice(text.tokens(), call->open + 1, call->close);
  const std::vector<CudaTokens> arguments = compile::atCommas(inside);
  const size_t which = isCopy || text.tokens()[call->name].text.starts_with("cudaMemset") ? 2 : 1;
  if (arguments.size() <= which) return std::nullopt;
  const CudaTokens& size = arguments[which];
  for (const CudaToken& token : size)
    if (token.is("sizeof")) return std::nullopt;
  const CudaTokens& pointer = arguments.front();
  if (pointer.empty() || pointer.back().kind != CudaToken::Kind::word) return std::nullopt;
  const std::string one = "sizeof(*" + std::string(pointer.back().text) + ")";
  std::string bytes(
      source.substr(static_cast<size_t>(size.front().text.data() - source.data()),
                    static_cast<size_t>(size.back().text.data() + size.back().text.size() -
                                        size.front().text.data())));
  const auto first = static_cast<size_t>(size.front().text.data() - source.data());
  std::string all(source);
  const std::string factor = size.size() > 1 ? "(" + bytes + ") * " + one : bytes + " * " + one;
  all.replace(first, bytes.size(), factor);
  return changed("Count bytes, not elements: " + factor, source, std::move(all));
}

/// "n / threads" becomes "(n + threads - 1) / threads", in the launch's grid or what it is made of.
std::optional<CodeFix> roundUp(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  const CudaTokens& tokens = text.tokens();
  const size_t begin = text.firstIn(finding.line);
  size_t launch = begin;
  while (launch < tokens.size() && !tokens[launch].is("<<<")) ++launch;
  std::set<std::string, std::less<>> names;
  std::vector<std::pair<size_t, size_t>> places;  // Of expressions that the grid is made of.
  size_t end = launch + 1;
  for (int depth = 0; end < tokens.size() && !(depth == 0 && tokens[end].is(",")); ++end) {
    depth += isOpen(tokens[end]) ? 1 : isClose(tokens[end]) ? -1 : 0;
    if (tokens[end].kind == CudaToken::Kind::word) names.emplace(tokens[end].text);
  }
  places.emplace_back(launch + 1, end);
  for (size_t i = launch; i-- > 1;) {
    const bool isSet = tokens[i].is("=") || tokens[i].is("(");
    if (!isSet || !names.contains(tokens[i - 1].text)) continue;
    size_t stop = i;
    while (stop < tokens.size() && !tokens[stop].is(";")) ++stop;
    for (size_t k = i; k < stop; ++k)
      if (tokens[k].kind == CudaToken::Kind::word) names.emplace(tokens[k].text);
    places.emplace_back(i + 1, stop);
  }
  for (const auto& [from, to] : places)
    for (size_t i = from + 1; i + 1 < std::min(to, tokens.size()); ++i) {
      const auto isPlain = [&](size_t at) {
        return tokens[at].kind == CudaToken::Kind::word ||
               tokens[at].kind == CudaToken::Kind::number;
      };
      // "threads.x" has three tokens.
      const bool isMember = i + 3 < tokens.size() && tokens[i + 2].is(".");
      const size_t last = isMember ? i + 3 : i + 1;
      if (!tokens[i].is("/") || !isPlain(i - 1) || !isPlain(i + 1)) continue;
      const std::string count(tokens[i - 1].text);
      const std::string per = compile::joined(compile::slice(tokens, i + 1, last + 1));
      const std::string up = "(" + count + " + " + per + " - 1) / " + per;
      return changed("Round the grid up: " + up, source, text.with(i - 1, last + 1, up));
    }
  return std::nullopt;
}

/// The function that holds the line: the last name before a bracket outside all braces.
std::string functionOfHost(const CodeText& text, uint32_t line) {
  const CudaTokens& tokens = text.tokens();
  std::string name;
  int depth = 0;
  const size_t end = text.firstIn(line);
  for (size_t i = 0; i + 1 < end; ++i) {
    depth += tokens[i].is("{") ? 1 : tokens[i].is("}") ? -1 : 0;
    if (depth == 0 && tokens[i].kind == CudaToken::Kind::word && tokens[i + 1].is("("))
      name = tokens[i].text;
  }
  return name;
}

/// "#include <cstdio>" at the beginning, where neither it nor <stdio.h> is there.
std::string withHeader(std::string text, const std::string& name) {
  const std::string old = "<" + name.substr(1) + ".h>";
  if (text.find("<" + name + ">") != std::string::npos || text.find(old) != std::string::npos)
    return text;
  return "#include <" + name + ">\n" + text;
}

std::optional<CodeFix> askForError(const ProgramFinding& finding, std::string_view source) {
  const CodeText text(source);
  if (finding.line == 0 || finding.line > text.lines.size()) return std::nullopt;
  size_t line = finding.line - 1;
  while (line < text.lines.size() && lastSign(text.lines[line]) != ';') ++line;
  if (line >= text.lines.size()) return std::nullopt;
  Lines lines = text.lines;
  const std::string indent = indentOf(text.lines[finding.line - 1]);
  const bool isInMain = functionOfHost(text, finding.line) == "main";
  const auto at = lines.begin() + static_cast<ptrdiff_t>(line) + 1;
  lines.insert(at, {indent + "if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) {",
                    indent + "  fprintf(stderr, \"%s\\n\", cudaGetErrorString(error));",
                    indent + (isInMain ? "  return 1;" : "  exit(1);"), indent + "}"});
  std::string all = text.with(lines);
  if (!isInMain) all = withHeader(std::move(all), "cstdlib");
  return changed("Ask for the launch's error behind line " + std::to_string(line + 1), source,
                 withHeader(std::move(all), "cstdio"));
}

}  // namespace

std::vector<std::string> changesBetween(std::string_view before, std::string_view after,
                                        uint32_t& first) {
  const Lines from = linesOf(before), to = linesOf(after);
  std::vector<std::string> changes;
  size_t a = 0, b = 0;
  first = 0;
  const auto note = [&](const std::string& line) {
    if (first == 0) first = static_cast<uint32_t>(b + 1);
    changes.push_back(line);
  };
  while (a < from.size() || b < to.size()) {
    if (a < from.size() && b < to.size() && from[a] == to[b]) {
      ++a;
      ++b;
      continue;
    }
    // Up to the nearest line that both have again.
    size_t gone = from.size() - a, come = to.size() - b;
    for (size_t sum = 1; sum < gone + come; ++sum)
      for (size_t i = 0; i <= sum; ++i)
        if (a + i < from.size() && b + sum - i < to.size() && from[a + i] == to[b + sum - i]) {
          gone = i;
          come = sum - i;
          i = sum;
        }
    for (size_t i = 0; i < gone; ++i) note("- " + from[a + i]);
    for (size_t i = 0; i < come; ++i) note("+ " + to[b + i]);
    a += gone;
    b += come;
  }
  return changes;
}

std::optional<CodeFix> fixFor(const ProgramFinding& finding, std::string_view text) {
  if (!finding.isFault) return std::nullopt;
  if (isRaceInShared(finding)) return addBarrier(finding, text);
  if (finding.kind == "uninitialised-read" && !finding.kernel.empty())
    return setVariable(finding, text);
  if (finding.kind == "grid-too-small") return roundUp(finding, text);
  if (finding.kind == "unchecked-error") return askForError(finding, text);
  if (finding.kind == "wrong-size") return countBytes(finding, text);
  if (finding.kind == "out-of-bounds" && !finding.kernel.empty()) return addGuard(finding, text);
  return std::nullopt;
}

std::string hintFor(const ProgramFinding& finding) {
  if (!finding.isFault) return {};
  if (isRaceInShared(finding))
    return "Which threads write what others read here, and what makes them wait for each other?";
  if (finding.kind == "uninitialised-read" && !finding.kernel.empty())
    return "Who was to set this value, and when?";
  if (finding.kind == "grid-too-small")
    return "How many threads does the grid have, and how many elements are there?";
  if (finding.kind == "unchecked-error") return "Who would notice if this launch were refused?";
  if (finding.kind == "wrong-size") return "Is this a number of elements or of bytes?";
  if (finding.kind == "out-of-bounds" && !finding.kernel.empty())
    return "Which threads have no element of their own, and what keeps them from this line?";
  return {};
}

}  // namespace tilestep::features::program
