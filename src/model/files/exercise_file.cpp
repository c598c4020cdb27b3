// SPDX-License-Identifier: Apache-2.0
#include "model/files/exercise_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/nearest_name.h"
#include "base/toml/parse_toml.h"
#include "base/toml/toml_reader.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/launch_choice.h"

namespace tilestep::model {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestExercise = size_t{64} << 10;
constexpr size_t kLongestExerciseText = 600;
constexpr size_t kMostHints = 6, kMostLaunches = 12;
constexpr int64_t kMostExercises = 999;
class ExerciseReader {
 public:
  ExerciseReader(const compile::FrontMatter& front, Exercise& exercise)
      : reader_(front.file, front.toml), exercise_(exercise) {}

  void read(const toml::table& root) {
    const toml::node* node = root.get("exercise");
    if (node == nullptr) return reader_.fail(1, 0, "an exercise must have a table [exercise]");
    const toml::table& table = *node->as_table();  // The front matter has been read before.
    reader_.onlyKeys(table, {"number", "symptom", "hints", "fails", "shown", "block", "hidden"},
                     "an exercise");
    exercise_.title = exercise_.spec.kernel.title;
    exercise_.number = static_cast<int>(number(table));
    exercise_.symptom = reader_.text(table, "symptom");
    checkText(need(table, "symptom"), "the symptom", exercise_.symptom);
    hints(table);
    fails(table);
    if (table.get("shown") != nullptr) exercise_.shown = launch(*table.get("shown"), "shown");
    block(table);
    hidden(table);
  }

  [[nodiscard]] const std::optional<Error>& error() const { return reader_.error(); }

 private:
  /// The key's node. If the key is missing, reports an error and returns the table.
  const toml::node& need(const toml::table& table, const char* key) {
    const toml::node* node = table.get(key);
    if (node != nullptr) return *node;
    reader_.fail(table, std::string("an exercise must have the key ") + key);
    return table;
  }

  void checkText(const toml::node& node, const std::string& what, const std::string& text) {
    if (text.empty()) reader_.fail(node, what + " is empty");
    if (text.size() > kLongestExerciseText)
      reader_.fail(
          node, what + " is too long: at most " + std::to_string(kLongestExerciseText) + " bytes");
    if (std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }))
      reader_.fail(node, what + " must be one line, without tabs");
  }

  int64_t number(const toml::table& table) {
    const int64_t value = reader_.integer(table, "number", 0);
    if (value < 1 || value > kMostExercises)
      reader_.fail(need(table, "number"),
                   "number must be a whole number from 1 to " + std::to_string(kMostExercises));
    return value;
  }

  void hints(const toml::table& table) {
    const toml::node& node = need(table, "hints");
    exercise_.hints = reader_.texts(table, "hints");
    if (exercise_.hints.size() > kMostHints)
      reader_.fail(node, "an exercise must have 1 to " + std::to_string(kMostHints) + " hints");
    for (const std::string& hint : exercise_.hints) checkText(node, "a hint", hint);
  }

  void fails(const toml::table& table) {
    const toml::node& node = need(table, "fails");
    for (const std::string& name : reader_.texts(table, "fails")) {
      const std::optional<lab::Criterion> criterion = lab::criterionNamed(name);
      if (!criterion)
        return reader_.fail(
            node, name + " is not a criterion; it must be one of " + listed(lab::criterionNames()));
      exercise_.fails.push_back(*criterion);
    }
  }

  void block(const toml::table& table) {
    if (table.get("block") == nullptr) return;
    const std::vector<int64_t> place = reader_.integers(table, "block");
    const bool right = place.size() == 2 && std::ranges::all_of(place, [](int64_t index) {
                         return index >= 0 && index <= 65535;
                       });
    if (!right) return reader_.fail(*table.get("block"), "block must be [x, y]");
    exercise_.block = {static_cast<uint32_t>(place[0]), static_cast<uint32_t>(place[1]), 0};
  }

  void hidden(const toml::table& table) {
    const toml::node& node = need(table, "hidden");
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty() || list->size() > kMostLaunches)
      return reader_.fail(node, "hidden must be a list of 1 to " + std::to_string(kMostLaunches) +
                                    " launches: [{ n = 100 }]");
    for (const toml::node& one : *list) exercise_.hidden.push_back(launch(one, "a hidden launch"));
  }

  compile::LaunchChoice launch(const toml::node& node, const std::string& what) {
    return compile::readLaunchChoice(reader_, node, what, exercise_.spec.kernel);
  }

  TomlReader reader_;
  Exercise& exercise_;
};

std::string codeBehind(const std::string& text, size_t behind) {
  const size_t start = text.find_first_not_of(" \t\r\n", behind);
  return start == std::string::npos ? std::string() : text.substr(start);
}

}  // namespace

Result<Exercise> parseExercise(const std::string& text, const std::string& file) {
  const compile::KernelSource source{file, text, {}};
  Result<compile::Spec> spec = compile::specOf(source);
  if (!spec) return spec.error();
  const Result<compile::BareText> bare = compile::withoutFrontMatter(source);
  if (!bare) return bare.error();
  Exercise exercise;
  exercise.id = compile::stemOf(file);
  exercise.listing = codeBehind(text, bare->behind);
  exercise.spec = std::move(*spec);
  ExerciseReader reader(exercise.spec.front, exercise);
  reader.read(parseToml(exercise.spec.front.toml).value());  // specOf() has parsed it before.
  if (reader.error()) return *reader.error();
  return exercise;
}

std::vector<Exercise> readExercises(const std::string& home, std::vector<Error>* errors) {
  std::vector<Exercise> exercises;
  for (const fs::path& path : filesIn(fs::path(home) / "assets" / "exercises", ".cu")) {
    const Result<std::string> text = readTextFile(path, kLargestExercise);
    Result<Exercise> exercise =
        text ? parseExercise(*text, path.string()) : Result<Exercise>(text.error());
    if (exercise && !exercise->id.starts_with(kExercisePrefix))
      exercise = requestError(path.string() +
                              ": an exercise's file must be called bug_NAME.cu, so that "
                              "no kernel of a user has the same name");
    if (exercise)
      exercises.push_back(std::move(*exercise));
    else if (errors != nullptr)
      errors->push_back(exercise.error());
  }
  std::ranges::stable_sort(exercises, {}, &Exercise::number);
  return exercises;
}

Result<compile::SpecifiedKernel> listingOf(const Exercise& exercise) {
  return compile::withSpec({exercise.id + ".cu", exercise.listing, {}}, exercise.spec);
}

}  // namespace tilestep::model
