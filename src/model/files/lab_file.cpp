// SPDX-License-Identifier: Apache-2.0
#include "model/files/lab_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/files.h"
#include "base/toml/parse_toml.h"
#include "base/toml/toml_reader.h"
#include "compile/front_matter/front_matter.h"

namespace tilestep::model {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestLab = size_t{64} << 10;
constexpr size_t kLongestLabText = 500;
constexpr size_t kMostKernels = 16, kLeastChoices = 2, kMostChoices = 6;
constexpr int64_t kMostMinutes = 240, kMostLabs = 999;

bool hasControlCharacter(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

class LabReader {
 public:
  LabReader(std::string_view text, const std::string& file, const LabTargets& targets)
      : reader_(file, text), targets_(targets) {
    lab_.id = fs::path(file).stem().string();
  }

  Result<Lab> read(const toml::table& table) {
    reader_.onlyKeys(table,
                     {"number", "title", "question", "minutes", "lesson", "stage", "kernel",
                      "prediction", "timings", "quoted"},
                     "a lab");
    lab_.number = static_cast<int>(integer(table, "number", kMostLabs));
    lab_.title = text(table, "title");
    lab_.question = text(table, "question");
    lab_.minutes = static_cast<int>(integer(table, "minutes", kMostMinutes));
    lab_.lesson = text(table, "lesson");
    if (!reader_.error())
      known(*table.get("lesson"), "lesson", "a lesson", lab_.lesson, targets_.lessons);
    stage(table);
    lab_.quoted = optionalText(table, "quoted");
    kernels(table);
    timings(table);
    prediction(table);
    if (reader_.error()) return *reader_.error();
    return std::move(lab_);
  }

  void failToParse(const Error& error) { reader_.failToParse(error); }
  [[nodiscard]] const std::optional<Error>& error() const { return reader_.error(); }

 private:
  /// Reads a required string without line breaks.
  std::string text(const toml::table& table, const char* key) {
    std::string value = reader_.text(table, key);
    const toml::node* node = table.get(key);
    if (node == nullptr)
      reader_.fail(table, std::string(key) + " is missing");
    else if (value.empty())
      reader_.fail(*node, std::string(key) + " is empty");
    else
      checkText(*node, key, value);
    return value;
  }

  std::string optionalText(const toml::table& table, const char* key) {
    return table.get(key) == nullptr ? std::string() : text(table, key);
  }

  void checkText(const toml::node& node, const std::string& what, const std::string& value) {
    if (value.size() > kLongestLabText)
      reader_.fail(node,
                   what + " is too long: at most " + std::to_string(kLongestLabText) + " bytes");
    if (hasControlCharacter(value)) reader_.fail(node, what + " must be one line, without tabs");
  }

  int64_t integer(const toml::table& table, const char* key, int64_t most) {
    const toml::node* node = table.get(key);
    const int64_t value = reader_.integer(table, key, 0);
    const std::string range = " must be a whole number from 1 to " + std::to_string(most);
    if (node == nullptr)
      reader_.fail(table, std::string(key) + " is missing");
    else if (value < 1 || value > most)
      reader_.fail(*node, key + range);
    return value;
  }

  /// Reports an error if `name` is not among `names`, and suggests the nearest name.
  void known(const toml::node& node, const std::string& kind, const std::string& called,
             const std::string& name, const std::vector<std::string>& names) {
    if (std::ranges::find(names, name) != names.end()) return;
    const std::string nearest = nearestName(name, names);
    reader_.fail(node, called + " called " + name + " does not exist" +
                           (nearest.empty() ? "" : "; the nearest " + kind + " is " + nearest));
  }

  /// Reads `timings`, which requires a kernel with timed sizes.
  void timings(const toml::table& table) {
    lab_.timings = reader_.boolean(table, "timings", false);
    const bool isTimed = std::ranges::any_of(
        lab_.kernels, [](const LabKernel& one) { return !one.timedSizes.empty(); });
    if (lab_.timings && !isTimed)
      reader_.fail(*table.get("timings"), "timings needs a kernel with sizes in `timed`");
  }

  void stage(const toml::table& table) {
    const std::string name = text(table, "stage");
    std::vector<std::string> names;
    for (size_t i = 0; i < kStages; ++i) {
      names.emplace_back(nameOf(static_cast<Stage>(i)));
      if (name == names.back()) lab_.stage = static_cast<Stage>(i);
    }
    if (std::ranges::find(names, name) == names.end() && table.get("stage") != nullptr)
      reader_.fail(*table.get("stage"), "stage must be one of " + listed(names));
  }

  void kernels(const toml::table& table) {
    if (table.get("kernel") == nullptr)
      return reader_.fail(table, "a lab must have a kernel: [[kernel]]");
    const std::vector<const toml::table*> all = reader_.tables(table, "kernel");
    if (all.empty() || all.size() > kMostKernels)
      return reader_.fail(*table.get("kernel"),
                          "a lab must have 1 to " + std::to_string(kMostKernels) + " kernels");
    for (const toml::table* one : all) {
      if (reader_.error()) return;
      kernel(*one);
    }
  }

  void kernel(const toml::table& table) {
    reader_.onlyKeys(table, {"name", "label", "tunables", "sizes", "timed", "quoted"},
                     "a lab's kernel");
    LabKernel kernel;
    kernel.name = text(table, "name");
    kernel.label = optionalText(table, "label");
    kernel.quoted = optionalText(table, "quoted");
    checkLabel(table, kernel);
    if (reader_.error()) return;
    std::vector<std::string> names;
    const compile::KernelSpec* spec = nullptr;
    for (const compile::CatalogueEntry& entry : targets_.kernels) {
      names.push_back(compile::nameOf(entry.source));
      if (names.back() == kernel.name && entry.spec) spec = &*entry.spec;
    }
    known(*table.get("name"), "kernel", "a kernel", kernel.name, names);
    if (reader_.error()) return;
    std::vector<std::string> tunables, sizes;
    // A kernel that cannot be read is reported when it is chosen.
    if (spec == nullptr) return lab_.kernels.push_back(std::move(kernel));
    for (const compile::TunableSpec& tunable : spec->tunables) tunables.push_back(tunable.name);
    for (const auto& [name, value] : spec->sizes) sizes.push_back(name);
    kernel.tunables = bindings(table, "tunables", "tunable", tunables);
    kernel.sizes = bindings(table, "sizes", "size", sizes);
    std::vector<std::string> both = sizes;
    both.insert(both.end(), tunables.begin(), tunables.end());
    for (const auto& [name, value] : bindings(table, "timed", "size or tunable", both))
      (spec->sizes.contains(name) ? kernel.timedSizes : kernel.timedTunables)[name] = value;
    lab_.kernels.push_back(std::move(kernel));
  }

  /// Reports an error if a kernel's button would have the same label as an earlier one.
  void checkLabel(const toml::table& table, const LabKernel& kernel) {
    const bool isTaken = std::ranges::any_of(lab_.kernels, [&](const LabKernel& one) {
      return one.label == kernel.label && (!one.label.empty() || one.name == kernel.name);
    });
    if (isTaken)
      reader_.fail(*table.get(kernel.label.empty() ? "name" : "label"),
                   "an earlier kernel of the lab has the same name: give each a label");
  }

  /// Reads { NAME = 4 }. Whether the values are legal together is checked when the kernel is
  /// planned.
  compile::Bindings bindings(const toml::table& table, const char* key, const std::string& kind,
                             const std::vector<std::string>& names) {
    compile::Bindings values;
    const toml::node* node = table.get(key);
    if (node == nullptr) return values;
    const toml::table* named = node->as_table();
    if (named == nullptr) {
      reader_.fail(*node, std::string(key) + " must be a table: { NAME = 4 }");
      return values;
    }
    for (const std::string& name : TomlReader::keysInOrder(*named)) {
      known(*named->get(name), kind, "a " + kind, name, names);
      values[name] = reader_.integer(*named, name.c_str(), 1);
    }
    return values;
  }

  void prediction(const toml::table& table) {
    const toml::node* node = table.get("prediction");
    if (node == nullptr) return reader_.fail(table, "a lab must have a prediction: [prediction]");
    const toml::table* asked = node->as_table();
    if (asked == nullptr) return reader_.fail(*node, "prediction must be a table: [prediction]");
    reader_.onlyKeys(*asked, {"question", "choices", "answer", "because"}, "a prediction");
    Prediction& prediction = lab_.prediction;
    prediction.question = text(*asked, "question");
    prediction.because = text(*asked, "because");
    choices(*asked);
    const toml::node* answer = asked->get("answer");
    if (answer == nullptr || !answer->is_number())
      return reader_.fail(answer != nullptr ? *answer : *node,
                          "a prediction's answer must be a number");
    prediction.answer = answer->value_or(0.0);
    checkAnswer(*answer);
  }

  void choices(const toml::table& asked) {
    const toml::node* node = asked.get("choices");
    if (node == nullptr) return;
    lab_.prediction.choices = reader_.texts(asked, "choices");
    const size_t count = lab_.prediction.choices.size();
    if (count < kLeastChoices || count > kMostChoices)
      reader_.fail(*node, "a prediction must have " + std::to_string(kLeastChoices) + " to " +
                              std::to_string(kMostChoices) + " choices, or none for a number");
    for (const std::string& choice : lab_.prediction.choices) {
      checkText(*node, "a choice", choice);
      if (choice.empty()) reader_.fail(*node, "a choice is empty");
    }
  }

  void checkAnswer(const toml::node& node) {
    const double answer = lab_.prediction.answer;
    if (!(std::abs(answer) <= kLargestPrediction))
      return reader_.fail(node, "the answer must be a number from -1e12 to 1e12");
    const size_t count = lab_.prediction.choices.size();
    const bool isChoice =
        answer == std::floor(answer) && answer >= 1 && answer <= static_cast<double>(count);
    if (count > 0 && !isChoice)
      reader_.fail(node,
                   "the answer must be the number of a choice, from 1 to " + std::to_string(count));
  }

  TomlReader reader_;
  const LabTargets& targets_;
  Lab lab_;
};

}  // namespace

compile::Bindings timedTunablesOf(const LabKernel& kernel) {
  compile::Bindings tunables = kernel.timedTunables;
  tunables.insert(kernel.tunables.begin(), kernel.tunables.end());
  return tunables;
}

Result<Lab> parseLab(std::string_view text, const std::string& file, const LabTargets& targets) {
  LabReader reader(text, file, targets);
  const Result<toml::table> table = parseToml(text);
  if (table) return reader.read(*table);
  reader.failToParse(table.error());
  return *reader.error();
}

std::vector<Lab> readLabs(const std::string& home,
                          const std::vector<compile::CatalogueEntry>& kernels,
                          std::vector<Error>* errors) {
  LabTargets targets{kernels, {}};
  for (const fs::path& lesson : filesIn(fs::path(home) / "assets" / "lessons", ".md"))
    targets.lessons.push_back(lesson.stem().string());
  std::vector<Lab> labs;
  for (const fs::path& file : filesIn(fs::path(home) / "assets" / "labs", ".toml")) {
    const Result<std::string> text = readTextFile(file, kLargestLab);
    Result<Lab> lab = text ? parseLab(*text, file.string(), targets) : Result<Lab>(text.error());
    if (lab)
      labs.push_back(std::move(*lab));
    else if (errors != nullptr)
      errors->push_back(lab.error());
  }
  std::ranges::stable_sort(labs, {}, &Lab::number);
  return labs;
}

std::string lessonFile(const std::string& home, const std::string& lesson) {
  return (fs::path(home) / "assets" / "lessons" / (lesson + ".md")).string();
}

}  // namespace tilestep::model
