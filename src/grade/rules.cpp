// SPDX-License-Identifier: Apache-2.0
#include "grade/rules.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/toml/parse_toml.h"
#include "base/toml/toml_reader.h"
#include "compile/front_matter/launch_choice.h"
#include "trace/counters.h"

namespace tilestep::grade {
namespace {

constexpr size_t kMostSentences = 20, kLongestSentence = 300;
constexpr double kMostMarks = 1000, kMostTimes = 1000;

std::vector<std::string> counterNames() {
  std::vector<std::string> names;
  for (const trace::CounterField& field : trace::counterFields()) names.emplace_back(field.name);
  return names;
}

/// Reads the table [grading].
class RulesReader {
 public:
  explicit RulesReader(const compile::Spec& spec)
      : reader_(spec.front.file, spec.front.toml), kernel_(spec.kernel) {}

  void read(const toml::table& table) {
    reader_.onlyKeys(table,
                     {"launches", "drawn", "largest", "marks", "count", "solution", "untested"},
                     "[grading]");
    launches(table);
    const int64_t drawn = reader_.integer(table, "drawn", static_cast<int64_t>(rules_.drawn));
    if (drawn < 0 || drawn > static_cast<int64_t>(kMostLaunches))
      return reader_.fail(*table.get("drawn"), "drawn must be a whole number from 0 to " +
                                                   std::to_string(kMostLaunches));
    rules_.drawn = static_cast<size_t>(drawn);
    if (rules_.drawn + rules_.launches.size() == 0)
      return reader_.fail(*table.get("drawn"), "at least one launch is needed");
    rules_.largest = reader_.integer(table, "largest", 0);
    if (table.contains("largest") && rules_.largest < 1)
      return reader_.fail(*table.get("largest"), "largest must be a size, 1 or more");
    marks(table);
    rules_.solution = reader_.text(table, "solution");
    counts(table);
    untested(table);
  }

  [[nodiscard]] const std::optional<Error>& error() const { return reader_.error(); }
  Rules take() { return std::move(rules_); }

 private:
  void launches(const toml::table& table) {
    const toml::node* node = table.get("launches");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() > kMostLaunches)
      return reader_.fail(*node, "launches must be a list of at most " +
                                     std::to_string(kMostLaunches) + " launches: [{ n = 100 }]");
    for (const toml::node& one : *list)
      rules_.launches.push_back(compile::readLaunchChoice(reader_, one, "a launch", kernel_));
  }

  /// A number from 0 to `most`, or the fallback if the key is absent.
  double number(const toml::table& table, const char* key, double fallback, double most) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return fallback;
    const std::optional<double> value = node->value<double>();
    if (node->is_number() && value && *value >= 0 && *value <= most) return *value;
    reader_.fail(*node, std::string(key) + " must be a number from 0 to " +
                            std::to_string(static_cast<int>(most)));
    return fallback;
  }

  void marks(const toml::table& table) {
    const toml::node* node = table.get("marks");
    if (node == nullptr) return;
    const toml::table* marks = node->as_table();
    if (marks == nullptr)
      return reader_.fail(*node, "write marks as [grading.marks], such as result = 4");
    const std::vector<std::string> names = lab::criterionNames();
    reader_.onlyKeys(*marks, names, "[grading.marks]");
    for (size_t i = 0; i < names.size(); ++i)
      rules_.marks[i] = number(*marks, names[i].c_str(), rules_.marks[i], kMostMarks);
  }

  void counts(const toml::table& table) {
    const std::vector<std::string> known = counterNames();
    for (const toml::table* one : reader_.tables(table, "count")) {
      reader_.onlyKeys(*one, {"counter", "at_most", "marks"}, "[[grading.count]]");
      CountRule rule;
      rule.counter = reader_.text(*one, "counter");
      if (std::ranges::find(known, rule.counter) == known.end())
        return reader_.fail(*one, "there is no counter '" + rule.counter + "'; the nearest is " +
                                      nearestName(rule.counter, known));
      const auto same = [&](const CountRule& other) { return other.counter == rule.counter; };
      if (std::ranges::any_of(rules_.counts, same))
        return reader_.fail(*one, rule.counter + " has two rules; keep one");
      if (!one->contains("at_most"))
        return reader_.fail(
            *one,
            "at_most is missing: the limit in multiples of the solution's count, such "
            "as at_most = 1.2");
      rule.atMost = number(*one, "at_most", rule.atMost, kMostTimes);
      rule.marks = number(*one, "marks", rule.marks, kMostMarks);
      rules_.counts.push_back(std::move(rule));
    }
    if (!rules_.counts.empty() && rules_.solution.empty())
      reader_.fail(*table.get("count"),
                   "counts are compared with the solution's; name it with solution = "
                   "\"FILE.cu\"");
  }

  void untested(const toml::table& table) {
    if (table.get("untested") == nullptr) return;
    rules_.untested = reader_.texts(table, "untested");
    const bool fits = rules_.untested.size() <= kMostSentences &&
                      std::ranges::all_of(rules_.untested, [](const std::string& sentence) {
                        return sentence.size() <= kLongestSentence;
                      });
    if (!fits)
      reader_.fail(*table.get("untested"), "untested must be a list of a few short sentences");
  }

  TomlReader reader_;
  const compile::KernelSpec& kernel_;
  Rules rules_;
};

}  // namespace

Result<Rules> readRules(const compile::Spec& spec) {
  const toml::table root = parseToml(spec.front.toml).value();  // It has been parsed before.
  const toml::node* node = root.get("grading");
  if (node == nullptr) return Rules{};
  RulesReader reader(spec);
  reader.read(*node->as_table());
  if (reader.error()) return *reader.error();
  return reader.take();
}

}  // namespace tilestep::grade
