// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_text.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "base/nearest_name.h"
#include "compile/front_matter/expression.h"
#include "features/lessons/device_values.h"

namespace tilestep::features {
namespace {

bool isNameStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isNamePart(char c) {
  return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

/// The end of the number that begins at `at`: "12", "0.25", "1e9", "2.5e-3".
size_t endOfNumber(std::string_view text, size_t at) {
  const auto digits = [&] {
    while (at < text.size() &&
           (std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '.'))
      ++at;
  };
  digits();
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  const size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
  const size_t first = at + 1 + sign;
  if (first >= text.size() || std::isdigit(static_cast<unsigned char>(text[first])) == 0) return at;
  at = first;
  digits();
  return at;
}

std::string nameOf(const FigureValue& value, const std::vector<LessonRun>& runs) {
  return runs[value.run].name + "." + value.path;
}

/// Parses a name such as "tiled.launch.block.0". Returns the reason if there is no such value.
std::optional<std::string> readName(std::string_view name, const std::vector<LessonRun>& runs,
                                    FigureValue& into) {
  const size_t dot = name.find('.');
  const std::string run(name.substr(0, dot));
  const auto at = std::ranges::find(runs, run, &LessonRun::name);
  if (at == runs.end()) {
    std::vector<std::string> names;
    for (const LessonRun& one : runs) names.push_back(one.name);
    return names.empty()
               ? "there is no run " + run + ": declare it before the first step, [run." + run + "]"
               : "there is no run " + run + "; the nearest is " + nearestName(run, names);
  }
  if (dot == std::string_view::npos)
    return "write which value of " + run + ", such as " + run + ".launch.block.0";
  into = {static_cast<size_t>(at - runs.begin()), std::string(name.substr(dot + 1))};
  if (at->ofShownDevice) {
    const Status path = checkDevicePath(into.path);
    return path ? std::nullopt : std::optional(path.error().message);
  }
  if (const Status path = lab::checkValuePath(into.path); !path) return path.error().message;
  const bool ceilings = into.path.starts_with("ceilings.");
  const bool timed = into.path.starts_with("measurement.") || into.path.starts_with("hardware.") ||
                     into.path.starts_with("timeline.");
  if ((ceilings || timed) && at->recording.empty())
    return run + " runs in the interpreter, which gives no " +
           into.path.substr(0, into.path.find('.')) + "; use a recording";
  return std::nullopt;
}

/// Collects the values that an expression uses.
std::optional<TextProblem> readNames(std::string_view text, const std::vector<LessonRun>& runs,
                                     LessonFigure& into) {
  for (size_t at = 0; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
      at = endOfNumber(text, at);
      continue;
    }
    if (!isNameStart(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && isNamePart(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    if (!compile::isFunctionName(name)) {
      FigureValue value;
      if (auto problem = readName(name, runs, value)) return TextProblem{at, std::move(*problem)};
      if (std::ranges::find(into.values, value) == into.values.end())
        into.values.push_back(std::move(value));
    }
    at = end;
  }
  return std::nullopt;
}

/// The position of the last single | (not part of ||); npos if there is none.
size_t formatSign(std::string_view text) {
  size_t found = std::string_view::npos;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '|') continue;
    if (i + 1 < text.size() && text[i + 1] == '|')
      ++i;
    else
      found = i;
  }
  return found;
}

std::string_view withoutBlanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Parses the text between a pair of braces.
std::optional<TextProblem> readFigure(std::string_view text, const std::vector<LessonRun>& runs,
                                      LessonFigure& into) {
  const size_t sign = formatSign(text);
  if (auto problem = readExpression(text.substr(0, sign), runs, into)) return problem;
  if (sign == std::string_view::npos) return std::nullopt;
  const std::string_view words = withoutBlanks(text.substr(sign + 1));
  const std::optional<FigureFormat> format = figureFormat(words);
  if (words.empty() || !format)
    return TextProblem{
        sign + 1, "'" + std::string(words) + "' is not a format; formats are " + figureFormats()};
  into.format = *format;
  return std::nullopt;
}

}  // namespace

std::optional<TextProblem> readExpression(std::string_view text, const std::vector<LessonRun>& runs,
                                          LessonFigure& into) {
  into = {};
  into.expression = withoutBlanks(text);
  if (into.expression.empty())
    return TextProblem{0, "a figure must be an expression: {tiled.launch.block.0}"};
  if (auto problem = readNames(text, runs, into)) return problem;
  compile::Evaluator evaluator;
  for (const FigureValue& value : into.values) evaluator.setNumber(nameOf(value, runs), 1);
  if (const Status grammar = evaluator.check(into.expression); !grammar)
    return TextProblem{0, grammar.error().message};
  return std::nullopt;
}

std::optional<TextProblem> readLessonText(std::string_view text, const std::vector<LessonRun>& runs,
                                          LessonText& into) {
  into = {};
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      plain += text[at++];
      continue;
    }
    if (c == '}') return TextProblem{at, "this brace closes no figure; write }} for a brace"};
    if (c != '{') {
      plain += c;
      continue;
    }
    const size_t end = text.find_first_of("{}", at + 1);
    if (end == std::string_view::npos || text[end] == '{')
      return TextProblem{at, "this figure is never closed; write {{ for a brace"};
    LessonFigure figure;
    if (auto problem = readFigure(text.substr(at + 1, end - at - 1), runs, figure))
      return TextProblem{at + 1 + problem->at, std::move(problem->message)};
    into.parts.push_back({std::exchange(plain, {}), std::move(figure)});
    at = end;
  }
  if (!plain.empty()) into.parts.push_back({std::move(plain), std::nullopt});
  return std::nullopt;
}

Result<std::optional<double>> numberOf(const LessonFigure& figure,
                                       const std::vector<LessonRun>& runs, const FindValue& find) {
  compile::Evaluator evaluator;
  bool coming = false;
  for (const FigureValue& value : figure.values) {
    const auto found = find(value);
    if (!found) return found.error();
    if (!*found) {
      coming = true;
      continue;
    }
    const auto* number = std::get_if<double>(&**found);
    if (number == nullptr) return workError(nameOf(value, runs) + " is a string, not a number");
    evaluator.setNumber(nameOf(value, runs), *number);
  }
  if (coming) return std::optional<double>();
  const Result<double> number = evaluator.number(figure.expression);
  if (!number) return number.error();
  return std::optional<double>(*number);
}

FilledText fill(const LessonText& text, const std::vector<LessonRun>& runs, const FindValue& find) {
  FilledText filled;
  for (const LessonText::Part& part : text.parts) {
    filled.text += part.text;
    if (!part.figure) continue;
    const LessonFigure& figure = *part.figure;
    // A value that is a text cannot be part of an expression.
    if (figure.values.size() == 1 && figure.expression == nameOf(figure.values.front(), runs)) {
      const auto found = find(figure.values.front());
      if (found && *found && std::holds_alternative<std::string>(**found)) {
        filled.text += std::get<std::string>(**found);
        continue;
      }
    }
    const auto number = numberOf(figure, runs, find);
    if (number && *number) {
      filled.text += written(**number, figure.format);
      continue;
    }
    filled.text += number ? kComing : kNoFigure;
    filled.coming |= number.ok();
    if (!number && filled.missing.empty()) filled.missing = number.error().message;
  }
  return filled;
}

}  // namespace tilestep::features
