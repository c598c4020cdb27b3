// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_run_reader.h"

#include <algorithm>
#include <cctype>

#include "compile/front_matter/expression.h"

namespace tilestep::features {
namespace {

constexpr std::string_view kRecorded = "recorded:";

bool isRecordingName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

class RunReader {
 public:
  RunReader(TomlReader& reader, const toml::table& table) : reader_(reader), at_(table) {}

  LessonRun read(const std::string& name, const toml::source_region& where) {
    if (!isIdentifier(name) || compile::isFunctionName(name))
      reader_.fail(where,
                   "a run's name must consist of letters, digits and _, and must not be the name "
                   "of a function");
    run_.name = name;
    if (reader_.text(at_, "device", "simt") == "shown") return readShown();
    reader_.onlyKeys(at_, {"kernel", "tunables", "size", "sizes", "device"}, "a run");
    run_.kernel = reader_.text(at_, "kernel");
    if (run_.kernel.empty())
      reader_.fail(at_, "a run must name its kernel: kernel = \"matmul_tiled\"");
    if (at_.contains("tunables")) run_.tunables = readBindings(reader_, at_, "tunables");
    readDevice();
    readSizes();
    return std::move(run_);
  }

 private:
  LessonRun readShown() {
    reader_.onlyKeys(at_, {"device"}, "the shown device");
    run_.ofShownDevice = true;
    return std::move(run_);
  }

  void readDevice() {
    const std::string device = reader_.text(at_, "device", "simt");
    if (device == "simt") return;
    if (device.starts_with(kRecorded)) run_.recording = device.substr(kRecorded.size());
    if (!isRecordingName(run_.recording))
      reader_.fail(*at_.get("device"),
                   "a run's device must be \"simt\" or a recording in assets/recordings, as "
                   "\"recorded:nvidia-h200\"; \"shown\" is the device whose limits are shown");
  }

  void readSizes() {
    if (at_.contains("sizes")) run_.sizes = readBindings(reader_, at_, "sizes");
    if (at_.contains("size")) {
      const int64_t size = reader_.integer(at_, "size", 1);
      run_.sizes = {{"m", size}, {"n", size}, {"k", size}};
    }
    const toml::node* node = at_.contains("size") ? at_.get("size") : at_.get("sizes");
    if (node == nullptr) return reader_.fail(at_, "a run must name its size, or its sizes");
    const int64_t largest = run_.recording.empty() ? kMostInterpretedWork : kLargestRecordedSize;
    int64_t work = 1;
    for (const auto& [name, value] : run_.sizes) {
      if (value < 1 || value > largest)
        return reader_.fail(*node, "a size must be from 1 to " + std::to_string(largest));
      work = std::min(work * value, kMostInterpretedWork + 1);
    }
    if (run_.recording.empty() && work > kMostInterpretedWork)
      reader_.fail(*node,
                   "too large for a lesson, which must not wait for the interpreter: the "
                   "product of the sizes must be at most " +
                       std::to_string(kMostInterpretedWork));
  }

  TomlReader& reader_;
  const toml::table& at_;
  LessonRun run_;
};

}  // namespace

compile::Bindings readBindings(TomlReader& reader, const toml::table& table, const char* key) {
  compile::Bindings values;
  const toml::table* named = table.get(key)->as_table();
  if (named == nullptr) {
    reader.fail(*table.get(key), std::string(key) + " must be a table: { NAME = 4 }");
    return values;
  }
  for (const std::string& name : TomlReader::keysInOrder(*named))
    values[name] = reader.integer(*named, name.c_str(), 1);
  return values;
}

std::vector<LessonRun> readLessonRuns(TomlReader& reader, const toml::table& document) {
  std::vector<LessonRun> runs;
  reader.onlyKeys(document, {"run"}, "the block before the first step");
  const toml::node* all = document.get("run");
  const toml::table* named = all != nullptr ? all->as_table() : nullptr;
  if (named == nullptr) {
    if (all != nullptr) reader.fail(*all, "a run must have a name: [run.tiled]");
    return runs;
  }
  for (const std::string& name : TomlReader::keysInOrder(*named)) {
    const toml::table* table = named->get(name)->as_table();
    if (table == nullptr) {
      reader.fail(*named->get(name), "a run must be a table: [run." + name + "]");
      return runs;
    }
    if (runs.size() == kMostLessonRuns) {
      reader.fail(*table,
                  "a lesson must have at most " + std::to_string(kMostLessonRuns) + " runs");
      return runs;
    }
    runs.push_back(RunReader(reader, *table).read(name, table->source()));
  }
  return runs;
}

}  // namespace tilestep::features
