// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/compiler_log.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/text_lines.h"

namespace tilestep::compile {
namespace {

// The positive number that `text` consists of, or 0.
int lineNumberIn(std::string_view text) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() && value > 0 ? value : 0;
}

// Removes ":17" from the end of "file:17" and returns 17. Returns 0 if there is no number.
int cutNumber(std::string_view& place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const int value = lineNumberIn(place.substr(colon + 1));
  if (value > 0) place = place.substr(0, colon);
  return value;
}

// "file(17)"
std::optional<TextLocation> bracketPlace(std::string_view place) {
  const size_t open = place.rfind('(');
  if (place.empty() || place.back() != ')' || open == std::string_view::npos) return std::nullopt;
  const int line = lineNumberIn(place.substr(open + 1, place.size() - open - 2));
  if (line == 0) return std::nullopt;
  return TextLocation{std::string(place.substr(0, open)), line, 0};
}

// "file:17:4" or "file:17"
std::optional<TextLocation> colonPlace(std::string_view place) {
  const int last = cutNumber(place);
  if (last == 0) return std::nullopt;
  const int line = cutNumber(place);
  if (line == 0) return TextLocation{std::string(place), last, 0};
  return TextLocation{std::string(place), line, last};
}

std::optional<Error> errorIn(std::string_view line) {
  for (const std::string_view mark : {": fatal error: ", ": catastrophic error: ", ": error: "}) {
    const size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view place = line.substr(0, at);
    auto where = bracketPlace(place);
    if (!where) where = colonPlace(place);
    if (!where) continue;
    Error error = requestError(std::string(line.substr(at + mark.size())));
    error.where = std::move(where);
    return error;
  }
  return std::nullopt;
}

// An error of NVRTC's front end, EDG, about a construct that is not closed at the end of the file.
std::optional<Error> errorAtEnd(std::string_view line, const KernelSource& source) {
  constexpr std::string_view kMark = "At end of source: error: ";
  if (!line.starts_with(kMark)) return std::nullopt;
  Error error = requestError(std::string(line.substr(kMark.size())));
  std::string_view text = source.text;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const auto lines = 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  error.where = TextLocation{source.path, lines, 0};
  return error;
}

// Clang's line before an error in a header: "In file included from file:17:"
std::optional<TextLocation> includeIn(std::string_view line) {
  constexpr std::string_view kMark = "In file included from ";
  if (line.substr(0, kMark.size()) != kMark || line.back() != ':') return std::nullopt;
  return colonPlace(line.substr(kMark.size(), line.size() - kMark.size() - 1));
}

// Errors of clang's driver, and NVRTC's errors about options, have no position: "clang: error: …".
std::string_view placelessError(std::string_view line) {
  for (const std::string_view mark : {"fatal error: ", "error: "}) {
    const size_t at = line.find(mark);
    if (at != std::string_view::npos) return line.substr(at + mark.size());
  }
  return {};
}

bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The column, from 1, of the whole `word` in `line`; 0 unless it occurs exactly once.
int onlyColumnOf(std::string_view word, std::string_view line) {
  int column = 0;
  for (size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const bool inLonger = (at > 0 && isNamePart(line[at - 1]) && isNamePart(word.front())) ||
                          (at + word.size() < line.size() && isNamePart(line[at + word.size()]) &&
                           isNamePart(word.back()));
    if (inLonger) continue;
    if (column != 0) return 0;
    column = static_cast<int>(at) + 1;
  }
  return column;
}

// The column of the message's first quoted text, if it is in the line once; NVRTC reports none.
int quotedColumn(std::string_view message, std::string_view line) {
  const size_t open = message.find('"');
  if (open == std::string_view::npos) return 0;
  const size_t close = message.find('"', open + 1);
  if (close == std::string_view::npos || close == open + 1) return 0;
  return onlyColumnOf(message.substr(open + 1, close - open - 1), line);
}

template <class Visit>
void eachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (visit(text.substr(0, end)) || end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// The instance to which an error refers: the only one, or the one that contains the quoted text.
const std::string* instanceOf(const Error& error, const CompileRequest& request) {
  const size_t open = error.message.find_first_of("\"'");
  const size_t close =
      open == std::string::npos ? open : error.message.find(error.message[open], open + 1);
  for (const std::string& instance : request.instances) {
    if (request.instances.size() == 1) return &instance;
    if (close == std::string::npos) continue;
    if (onlyColumnOf(error.message.substr(open + 1, close - open - 1), instance) != 0) {
      return &instance;
    }
  }
  return nullptr;
}

// The first line that contains `word` after "entry"; 0 if there is none.
int lineOfEntry(std::string_view text, const std::string& word) {
  int number = 0, found = 0;
  eachLine(text, [&](std::string_view line) {
    ++number;
    const size_t entry = line.find("entry");
    const bool holds =
        entry != std::string_view::npos && line.find(word, entry) != std::string_view::npos;
    if (holds) found = number;
    return holds;
  });
  return found;
}

// Appends the next line to an EDG message that ends with a colon, such as "transfer of control
// bypasses initialization of:".
void takeSecondLine(std::string_view log, std::string_view line, Error& error) {
  if (!error.message.ends_with(':')) return;
  std::string_view rest = log.substr(static_cast<size_t>(line.data() + line.size() - log.data()));
  if (!rest.starts_with("\n ")) return;
  rest.remove_prefix(std::min(rest.find_first_not_of("\n "), rest.size()));
  error.message += " " + std::string(rest.substr(0, rest.find('\n')));
}

/// "; more errors are in lines 4 and 6"; empty if there are none in other lines of the file.
std::string otherErrors(std::string_view log, const TextLocation& first) {
  constexpr size_t kMost = 3;
  std::vector<std::string> lines;
  eachLine(log, [&](std::string_view line) {
    const std::optional<Error> error = errorIn(line);
    if (!error || error->where->file != first.file || error->where->line == first.line)
      return false;
    const std::string number = std::to_string(error->where->line);
    if (std::ranges::find(lines, number) == lines.end()) lines.push_back(number);
    return lines.size() > kMost;
  });
  if (lines.empty()) return {};
  if (lines.size() == 1) return "; another error is in line " + lines.front();
  std::string text = "; more errors are in lines " + lines.front();
  const size_t last = std::min(lines.size(), kMost) - 1;
  for (size_t i = 1; i < last; ++i) text += ", " + lines[i];
  if (lines.size() > kMost) return text + ", " + lines[last] + " and below";
  return text + " and " + lines[last];
}

}  // namespace

std::optional<Error> firstError(std::string_view log, const KernelSource& source) {
  std::optional<Error> first;
  std::optional<TextLocation> include;
  eachLine(log, [&](std::string_view line) {
    if (auto place = includeIn(line); place && place->file == source.path) include = place;
    first = errorIn(line);
    if (!first) first = errorAtEnd(line, source);
    if (!first) return false;
    takeSecondLine(log, line, *first);
    // An error in a header is reported at the kernel's #include.
    if (first->where->file != source.path && include) first->where = include;
    if (first->where->file == source.path) {
      first->sourceLine = lineOf(source.text, first->where->line);
      if (first->where->column == 0)
        first->where->column = quotedColumn(first->message, first->sourceLine);
    }
    return true;
  });
  if (first && first->where && first->where->file == source.path)
    first->message += otherErrors(log, *first->where);
  return first;
}

bool findsHostCode(std::string_view log) {
  bool found = false;
  eachLine(log, [&](std::string_view line) {
    const bool isError = errorIn(line).has_value();
    found = isError && line.find("in JIT mode") != std::string_view::npos;
    return isError;
  });
  return found;
}

Error placedInstance(Error error, const CompileRequest& request) {
  const std::string& text = request.source.text;
  const auto lines = 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  const bool beside =
      error.where && (error.where->file == "__nv_name_map" ||
                      (error.where->file == request.source.path && error.where->line > lines));
  if (!beside) return error;
  const std::string* instance = instanceOf(error, request);
  const std::string name = instance != nullptr ? *instance : "a template";
  error.message =
      "the template instance " + name + ", which entry names, cannot be compiled: " + error.message;
  error.where.reset();
  error.sourceLine.clear();
  if (instance == nullptr) return error;
  int line = lineOfEntry(text, "\"" + *instance + "\"");
  if (line == 0) line = lineOfEntry(text, "\"" + instance->substr(0, instance->find('<')));
  if (line == 0) return error;
  error.where = TextLocation{request.source.path, line, 0};
  error.sourceLine = lineOf(text, line);
  return error;
}

Error compileError(std::string_view log, const KernelSource& source, const std::string& compiler,
                   const std::string& otherwise) {
  if (auto found = firstError(log, source)) return *found;
  std::string why = otherwise;
  eachLine(log, [&](std::string_view line) {
    const std::string_view message = placelessError(line);
    if (!message.empty()) why = std::string(message);
    return !message.empty();
  });
  Error error = requestError(compiler + " does not compile " + source.path + ": " + why);
  return error;
}

}  // namespace tilestep::compile
