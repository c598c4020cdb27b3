// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_ask_reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/number_text.h"
#include "model/files/toml_text_place.h"

namespace tilestep::features {
namespace {

class AskReader {
 public:
  AskReader(std::string_view text, const std::vector<LessonRun>& runs, TomlReader& reader,
            const CountFigures& count)
      : text_(text), runs_(runs), reader_(reader), count_(count) {}

  std::optional<Ask> read(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      reader_.fail(node, "ask must be a table: [ask]");
      return std::nullopt;
    }
    reader_.onlyKeys(*table, {"question", "choices", "answer", "wrong", "hint", "open", "hide"},
                     "ask");
    if (reader_.text(*table, "question").empty())
      reader_.fail(node, "a question must have a text: question = \"…\"");
    if (reader_.error()) return std::nullopt;
    textOf(*table->get("question"), ask_.question);
    choices(*table);
    if (!reader_.error()) rightAnswer(*table, node);
    if (table->contains("hint") && !reader_.text(*table, "hint").empty())
      textOf(*table->get("hint"), ask_.hint.emplace());
    open(*table);
    hide(*table);
    if (!reader_.error()) wrongAnswers(*table);
    return std::move(ask_);
  }

 private:
  void choices(const toml::table& table) {
    const std::vector<std::string> texts = reader_.texts(table, "choices");
    for (size_t i = 0; i < texts.size() && !reader_.error(); ++i) {
      const toml::array* list = table.get("choices")->as_array();
      textOf(list != nullptr ? *list->get(i) : *table.get("choices"), ask_.choices.emplace_back());
    }
  }

  void rightAnswer(const toml::table& table, const toml::node& asked) {
    const toml::node* node = table.get("answer");
    if (node == nullptr || !(node->is_number() || node->is_string()))
      return reader_.fail(node != nullptr ? *node : asked,
                          "a question must have an answer: a number, or an expression in quotes");
    right_ = answer(*node, ask_.answer);
  }

  /// Reads a number, which it returns, or an expression over values of runs.
  std::optional<double> answer(const toml::node& node, LessonFigure& into) {
    const auto typed = node.is_number() ? node.value<double>() : std::nullopt;
    const std::string text = typed ? shortestText(*typed) : node.value_or(std::string());
    if (const auto problem = readExpression(text, runs_, into)) {
      failIn(node, *problem);
      return std::nullopt;
    }
    const bool isChoice = typed && *typed == std::floor(*typed) && *typed >= 1 &&
                          *typed <= static_cast<double>(ask_.choices.size());
    if (!ask_.choices.empty() && typed && !isChoice)
      reader_.fail(node, "the answer must be the number of a choice, a whole number from 1");
    return typed;
  }

  void wrongAnswers(const toml::table& table) {
    for (const toml::table* one : reader_.tables(table, "wrong")) {
      if (reader_.error()) return;
      wrongAnswer(*one);
    }
  }

  void wrongAnswer(const toml::table& table) {
    reader_.onlyKeys(table, {"answer", "because"}, "ask.wrong");
    const toml::node* value = table.get("answer");
    if (value == nullptr || !(value->is_number() || value->is_string()))
      return reader_.fail(
          value != nullptr ? *value : table,
          "a wrong answer must be a number, or an expression in quotes: answer = 16");
    if (reader_.text(table, "because").empty())
      return reader_.fail(table, "a wrong answer must have an explanation: because = \"…\"");
    Misconception wrong;
    const std::optional<double> typed = answer(*value, wrong.answer);
    if (typed && typed == right_)
      return reader_.fail(*value, "this is the right answer, so it cannot be a wrong answer");
    if (typed && std::ranges::find(typed_, *typed) != typed_.end())
      return reader_.fail(*value, "duplicate wrong answer");
    if (typed) typed_.push_back(*typed);
    textOf(*table.get("because"), wrong.because);
    ask_.wrong.push_back(std::move(wrong));
  }

  void open(const toml::table& table) {
    for (const std::string& word : reader_.texts(table, "open")) {
      std::string names;
      const size_t before = ask_.open.size();
      for (size_t i = 0; i < kCoverable; ++i) {
        const auto area = static_cast<Covered>(i);
        if (word == nameOf(area)) ask_.open.push_back(area);
        names += (i > 0 ? ", \"" : "\"") + std::string(nameOf(area)) + "\"";
      }
      if (ask_.open.size() == before)
        reader_.fail(*table.get("open"), "open must list some of " + names);
    }
  }

  /// checkHiddenTexts() later checks that the kernel contains these texts.
  void hide(const toml::table& table) {
    ask_.hide = reader_.texts(table, "hide");
    for (const std::string& text : ask_.hide)
      if (text.empty() || text.find('\n') != std::string::npos)
        reader_.fail(*table.get("hide"), "hide must list texts in lines of the kernel's source");
    if (!ask_.hide.empty()) ask_.hideLine = reader_.lineIn(table.get("hide")->source());
  }

  void textOf(const toml::node& node, LessonText& into) {
    if (const auto problem = readLessonText(node.value_or(std::string()), runs_, into))
      return failIn(node, *problem);
    count_(into, reader_.lineIn(node.source()));
  }

  /// Reports a problem in a TOML string at its position in the file, accounting for escapes.
  void failIn(const toml::node& node, const TextProblem& problem) {
    const int column = static_cast<int>(node.source().begin.column);
    const TextPlace place = placeInToml(text_, {reader_.lineIn(node.source()), column}, problem.at);
    reader_.fail(place.line, place.column, problem.message);
  }

  std::string_view text_;
  const std::vector<LessonRun>& runs_;
  TomlReader& reader_;
  const CountFigures& count_;
  Ask ask_;
  std::optional<double> right_;  ///< Absent unless the right answer is a literal number.
  std::vector<double> typed_;    ///< The wrong answers that are literal numbers.
};

}  // namespace

std::optional<Ask> readAsk(const toml::node& node, std::string_view text,
                           const std::vector<LessonRun>& runs, TomlReader& reader,
                           const CountFigures& count) {
  return AskReader(text, runs, reader, count).read(node);
}

}  // namespace tilestep::features
