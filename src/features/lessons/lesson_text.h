// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/lessons/lesson_run.h"
#include "lab/result_values.h"
#include "model/text/figure_format.h"

/// A lesson's texts and the figures in them: "{naive.measurement.median_ms / 1000 | s}". A figure
/// is an expression over values of runs and is worked out when the text is shown (docs/lessons.md).
namespace tilestep::model {

/// "tiled.counters.total.ffma": a value of one of the lesson's runs.
struct FigureValue {
  size_t run = 0;    ///< Among the lesson's.
  std::string path;  ///< See lab/result_values.h.
  bool operator==(const FigureValue&) const = default;
};

struct LessonFigure {
  std::string expression;
  std::vector<FigureValue> values;  ///< Those that it names, each once.
  FigureFormat format;
};

/// The value of a run that a figure names; nothing: it has not come yet; an Error: there is none.
using FindValue = std::function<Result<std::optional<lab::ResultValue>>(const FigureValue&)>;

/// A text of the file, cut at its figures.
struct LessonText {
  struct Part {
    std::string text;
    std::optional<LessonFigure> figure;  ///< Stands behind `text`.
  };
  std::vector<Part> parts;
};

/// What is wrong in a text, and how many of its bytes are before that.
struct TextProblem {
  size_t at = 0;
  std::string message;
};

/// Reads what stands between braces; `{{` and `}}` are braces themselves. Every run, path, format
/// and the expression's grammar are checked.
[[nodiscard]] std::optional<TextProblem> readLessonText(std::string_view text,
                                                        const std::vector<LessonRun>& runs,
                                                        LessonText& into);
/// An expression alone, as an answer is one.
[[nodiscard]] std::optional<TextProblem> readExpression(std::string_view text,
                                                        const std::vector<LessonRun>& runs,
                                                        LessonFigure& into);

/// Its number; nothing while a value has not come; an Error says why there is none.
[[nodiscard]] Result<std::optional<double>> numberOf(const LessonFigure& figure,
                                                     const std::vector<LessonRun>& runs,
                                                     const FindValue& find);

/// What stands for a figure that has not come, and for one that cannot be had.
inline constexpr const char* kComing = "…";
inline constexpr const char* kNoFigure = "[no figure]";

/// A text as it is shown.
struct FilledText {
  std::string text;
  bool coming = false;  ///< A figure has not come yet.
  std::string missing;  ///< Why the first figure that cannot be had is not there; else empty.
};
[[nodiscard]] FilledText fill(const LessonText& text, const std::vector<LessonRun>& runs,
                              const FindValue& find);

}  // namespace tilestep::model
