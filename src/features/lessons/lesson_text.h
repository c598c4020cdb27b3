// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/lessons/lesson_run.h"
#include "features/names.h"
#include "lab/result_values.h"
#include "model/text/figure_format.h"

/// Texts of a lesson with figures: "{naive.measurement.median_ms / 1000 | s}". A figure is an
/// expression over values of runs. It is evaluated when the text is shown (docs/lessons.md).
namespace tilestep::features {

/// A value of one of the lesson's runs: "tiled.counters.total.ffma".
struct FigureValue {
  size_t run = 0;    ///< Index into the lesson's runs.
  std::string path;  ///< See lab/result_values.h.
  bool operator==(const FigureValue&) const = default;
};

struct LessonFigure {
  std::string expression;
  std::vector<FigureValue> values;  ///< The distinct values in the expression.
  FigureFormat format;
};

/// Finds a value of a run. Absent while not available yet; an Error if it does not exist.
using FindValue = std::function<Result<std::optional<lab::ResultValue>>(const FigureValue&)>;

/// A text of the file, split at its figures.
struct LessonText {
  struct Part {
    std::string text;
    std::optional<LessonFigure> figure;  ///< Follows `text`.
  };
  std::vector<Part> parts;
};

/// An error in a text and its byte offset.
struct TextProblem {
  size_t at = 0;
  std::string message;
};

/// Parses a text with figures in braces; `{{` and `}}` are literal braces. Checks every run, path,
/// format and the grammar of expressions.
[[nodiscard]] std::optional<TextProblem> readLessonText(std::string_view text,
                                                        const std::vector<LessonRun>& runs,
                                                        LessonText& into);
/// Parses an expression without a surrounding text, such as an answer.
[[nodiscard]] std::optional<TextProblem> readExpression(std::string_view text,
                                                        const std::vector<LessonRun>& runs,
                                                        LessonFigure& into);

/// The figure's value; absent while an input is pending; an Error says why there is no value.
[[nodiscard]] Result<std::optional<double>> numberOf(const LessonFigure& figure,
                                                     const std::vector<LessonRun>& runs,
                                                     const FindValue& find);

/// Placeholders for a figure that is not available yet, and for a figure that never will be.
inline constexpr const char* kComing = "…";
inline constexpr const char* kNoFigure = "[no figure]";

/// A text with its figures filled in.
struct FilledText {
  std::string text;
  bool coming = false;  ///< A figure is not available yet.
  std::string missing;  ///< The reason why the first missing figure is missing.
};
[[nodiscard]] FilledText fill(const LessonText& text, const std::vector<LessonRun>& runs,
                              const FindValue& find);

}  // namespace tilestep::features
