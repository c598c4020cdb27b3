// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_figures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "features/lessons/device_values.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "model/jobs.h"
#include "model/text/figure_format.h"

namespace tilestep::features {
namespace {

constexpr double kPatienceSeconds = 20;
constexpr const char* kRecordedDevice = "recorded:";

void eachFigure(const Lesson& lesson, const std::function<void(const LessonFigure&)>& visit) {
  const auto all = [&](const std::vector<LessonText>& texts) {
    for (const LessonText& text : texts)
      for (const LessonText::Part& part : text.parts)
        if (part.figure) visit(*part.figure);
  };
  for (const LessonStep& step : lesson.steps) {
    all(step.text);
    all(step.answer);
    if (!step.ask) continue;
    all({step.ask->question});
    all(step.ask->choices);
    visit(step.ask->answer);
    if (step.ask->hint) all({*step.ask->hint});
    for (const Misconception& wrong : step.ask->wrong) {
      all({wrong.because});
      visit(wrong.answer);
    }
  }
}

/// Requests counters and a check, like --counters --check, or all that a recording contains.
lab::Experiment experimentOf(const LessonRun& run) {
  lab::Experiment experiment;
  experiment.sizes = run.sizes;
  experiment.tunables = run.tunables;
  experiment.device = run.recording.empty() ? "simt" : kRecordedDevice + run.recording;
  experiment.counters = experiment.check = true;
  experiment.measure = false;
  experiment.timeoutSeconds = kPatienceSeconds;
  return experiment;
}

std::string originOfLesson(const lab::RunResult& result) {
  if (result.device.recordedOn.empty()) return "counted by the interpreter";
  return "recorded on " + device::machineText(result.device) + ", " + result.device.recordedOn;
}

/// The reason why a run's values cannot be used; absent if they can.
std::optional<Error> lessonTrouble(const lab::RunResult& result) {
  if (!result.faults.empty()) return workError(result.faults.front().message);
  if (result.check && !result.check->ok) return workError("the run's result is wrong");
  return std::nullopt;
}

/// An Error if the run would take too long in the interpreter. Sizes that the run omits have the
/// kernel's defaults. A kernel that cannot be parsed passes, and fails when it is run.
Status checkWork(const LessonRun& run, const compile::KernelSource& source) {
  if (!run.recording.empty()) return {};
  const Result<compile::KernelSpec> spec = compile::parseKernel(source);
  if (!spec) return {};
  compile::Bindings sizes = spec->sizes;
  for (const auto& [name, value] : run.sizes) sizes[name] = value;
  int64_t work = 1;
  for (const auto& [name, value] : sizes) {
    if (value > kMostInterpretedWork / work)
      return workError(
          "the run is too large for the interpreter: with the kernel's defaults for "
          "the sizes that it leaves out, the product of its sizes is more than " +
          std::to_string(kMostInterpretedWork));
    work *= std::max<int64_t>(value, 1);
  }
  return {};
}

/// Makes the ceilings unavailable, because they belong to a different machine than the run.
void refuseCeilings(std::map<std::string, Result<lab::ResultValue>>& values,
                    const device::DeviceInfo& device) {
  for (auto& [path, value] : values)
    if (path.starts_with("ceilings."))
      value = workError(device.machine == 0
                            ? "there is no value " + path +
                                  ": the recording does not name the machine that measured the run"
                            : "there is no " + path + ": the recording has no ceilings of " +
                                  device::machineText(device) + ", which measured the run");
}

void add(std::vector<std::string>& to, const FilledText& filled, FilledStep& step) {
  to.push_back(filled.text);
  step.coming |= filled.coming;
  if (step.missing.empty()) step.missing = filled.missing;
}

}  // namespace

LessonFigures::Known LessonFigures::knownOf(const lab::RunResult& result,
                                            const device::Ceilings* ceilings,
                                            const std::vector<std::string>& paths) {
  Known known;
  std::vector<Result<lab::ResultValue>> values = lab::valuesOf(result, ceilings, paths);
  for (size_t i = 0; i < paths.size(); ++i) known.values.emplace(paths[i], std::move(values[i]));
  known.origin = originOfLesson(result);
  return known;
}

LessonFigures::Known LessonFigures::failed(const std::vector<std::string>& paths,
                                           const Error& error) {
  Known known;
  for (const std::string& path : paths) known.values.emplace(path, error);
  return known;
}

LessonFigures::Read LessonFigures::readRecorded(const std::string& file,
                                                const std::vector<Run>& runs) {
  Read read;
  const Result<lab::DeviceRecording> recording = lab::readRecording(file);
  for (const Run& run : runs) {
    if (!recording) {
      read.emplace(run.key, failed(run.paths, recording.error()));
      continue;
    }
    const lab::Experiment& asked = *run.request.experiment;
    const auto result = lab::recordedResult(*recording, asked.source, asked.sizes, asked.tunables);
    if (!result) {
      read.emplace(run.key, failed(run.paths, result.error()));
      continue;
    }
    // A recording that names no machines comes from a single machine.
    const auto& ceilings =
        recording->machines.empty() ? recording->ceilings : result->machineCeilings;
    Known known = knownOf(*result, ceilings ? &*ceilings : nullptr, run.paths);
    if (!ceilings) refuseCeilings(known.values, result->device);
    read.emplace(run.key, std::move(known));
  }
  return read;
}

void LessonFigures::open(std::shared_ptr<const Lesson> lesson, const std::string& home,
                         const FindKernel& find) {
  close();
  forgetFailures();
  lesson_ = std::move(lesson);
  runs_.resize(lesson_->runs.size());
  eachFigure(*lesson_, [&](const LessonFigure& figure) {
    for (const FigureValue& value : figure.values) {
      std::vector<std::string>& paths = runs_[value.run].paths;
      if (std::ranges::find(paths, value.path) == paths.end()) paths.push_back(value.path);
    }
  });
  for (size_t i = 0; i < runs_.size(); ++i) {
    Run& run = runs_[i];
    if (lesson_->runs[i].ofShownDevice) run.key = "shown " + lesson_->runs[i].name;
    if (lesson_->runs[i].ofShownDevice) continue;
    lab::Experiment experiment = experimentOf(lesson_->runs[i]);
    Result<compile::KernelSource> source = find(lesson_->runs[i].kernel);
    if (source) experiment.source = *source;
    run.request = std::move(experiment);
    run.key = run.request.key;
    for (const std::string& path : run.paths) run.key += "/" + path;
    if (const Status possible = source ? checkWork(lesson_->runs[i], *source) : source.error();
        !possible)
      learn(run.key, failed(run.paths, possible.error()));
  }
  learnDevice();
  readRecordings(home);
}

void LessonFigures::show(const std::optional<device::DeviceInfo>& device) {
  const auto nameOf = [](const auto& of) { return of ? of->id + "/" + of->name : ""; };
  if (nameOf(device) == nameOf(device_)) return;
  device_ = device;
  learnDevice();
}

void LessonFigures::learnDevice() {
  for (size_t i = 0; i < runs_.size(); ++i) {
    if (!lesson_->runs[i].ofShownDevice) continue;
    Known known = failed(runs_[i].paths, workError("no device's limits are shown"));
    if (device_) known = {valuesOfDevice(*device_), "sizes of " + device_->name};
    learn(runs_[i].key, std::move(known));
  }
}

/// Allows retries, because a worker may have returned or a file may have been corrected.
void LessonFigures::forgetFailures() {
  std::erase_if(known_, [](const auto& entry) {
    return std::ranges::any_of(entry.second.values,
                               [](const auto& value) { return !value.second.ok(); });
  });
}

void LessonFigures::learn(const std::string& key, Known known) {
  known_.insert_or_assign(key, std::move(known));
  filled_.reset();
}

void LessonFigures::close() {
  lesson_.reset();
  runs_.clear();
  filled_.reset();
}

void LessonFigures::readRecordings(const std::string& home) {
  std::map<std::string, std::vector<Run>> byName;
  for (size_t i = 0; i < runs_.size(); ++i)
    if (!lesson_->runs[i].recording.empty() && !known_.contains(runs_[i].key))
      byName[lesson_->runs[i].recording].push_back(runs_[i]);
  for (auto& [name, runs] : byName)
    reading_.push_back(std::async(
        std::launch::async,
        [file = lab::recordingFile(home, name), of = runs] { return readRecorded(file, of); }));
}

bool LessonFigures::poll() {
  using namespace std::chrono_literals;
  bool came = false;
  for (std::future<Read>& one : reading_) {
    if (one.wait_for(0s) != std::future_status::ready) continue;
    for (auto& [key, known] : one.get()) learn(key, std::move(known));
    came = true;
  }
  std::erase_if(reading_, [](const std::future<Read>& one) { return !one.valid(); });
  return came;
}

const Request* LessonFigures::wanted() const {
  for (size_t i = 0; i < runs_.size(); ++i)
    if (lesson_->runs[i].isInterpreted() && !runs_[i].paths.empty() &&
        !known_.contains(runs_[i].key))
      return &runs_[i].request;
  return nullptr;
}

void LessonFigures::accept(const lab::RunResult& result) {
  const std::optional<Error> trouble = lessonTrouble(result);
  if (trouble) return acceptError(trouble->message);
  const Request* now = wanted();
  const auto run = std::ranges::find_if(runs_, [&](const Run& r) { return &r.request == now; });
  if (run != runs_.end()) learn(run->key, knownOf(result, nullptr, run->paths));
}

void LessonFigures::acceptError(const std::string& reason) {
  const Request* now = wanted();
  const auto run = std::ranges::find_if(runs_, [&](const Run& r) { return &r.request == now; });
  if (run != runs_.end()) learn(run->key, failed(run->paths, workError(reason)));
}

Result<std::optional<lab::ResultValue>> LessonFigures::find(const FigureValue& value) const {
  const auto known = known_.find(runs_[value.run].key);
  if (known == known_.end()) return std::optional<lab::ResultValue>();
  const Result<lab::ResultValue>& found = known->second.values.at(value.path);
  if (!found) return workError(lesson_->runs[value.run].name + ": " + found.error().message);
  return std::optional<lab::ResultValue>(*found);
}

std::shared_ptr<const FilledStep> LessonFigures::filled(size_t index) {
  if (!filled_ || filledStep_ != index) filled_ = fillStep(index);
  filledStep_ = index;
  return filled_;
}

std::shared_ptr<const FilledStep> LessonFigures::fillStep(size_t index) const {
  const LessonStep& step = lesson_->steps[index];
  const FindValue find = [this](const FigureValue& value) { return this->find(value); };
  auto filled = std::make_shared<FilledStep>();
  std::vector<std::string> question, origins;
  const auto addAll = [&](std::vector<std::string>& to, const std::vector<LessonText>& texts) {
    for (const LessonText& text : texts) {
      add(to, fill(text, lesson_->runs, find), *filled);
      for (const LessonText::Part& part : text.parts)
        for (const FigureValue& value :
             part.figure ? part.figure->values : std::vector<FigureValue>())
          if (const auto known = known_.find(runs_[value.run].key); known != known_.end())
            origins.push_back(known->second.origin);
    }
  };
  addAll(filled->text, step.text);
  addAll(filled->answer, step.answer);
  if (step.ask) addAll(question, {step.ask->question});
  if (step.ask) addAll(filled->choices, step.ask->choices);
  if (!question.empty()) filled->question = question.front();
  if (step.ask) {
    std::vector<std::string> hint, because;
    if (step.ask->hint) addAll(hint, {*step.ask->hint});
    if (!hint.empty()) filled->hint = hint.front();
    for (const Misconception& wrong : step.ask->wrong) {
      addAll(because, {wrong.because});
      const auto answer = numberOf(wrong.answer, lesson_->runs, find);
      filled->wrong.push_back({answer ? *answer : std::nullopt, because.back()});
    }
    filled->right = answerTo(*step.ask);
  }
  std::ranges::sort(origins);
  origins.erase(std::ranges::unique(origins).begin(), origins.end());
  for (const std::string& origin : origins)
    if (!origin.empty()) filled->origin += (filled->origin.empty() ? "" : "; ") + origin;
  return filled;
}

RightAnswer LessonFigures::answerTo(const Ask& ask) const {
  const FindValue find = [this](const FigureValue& value) { return this->find(value); };
  RightAnswer right;
  right.value = numberOf(ask.answer, lesson_->runs, find);
  if (!right.value || !*right.value) return right;
  const double value = **right.value;
  if (ask.choices.empty()) {
    right.text = writtenInFull(value);
    return right;
  }
  const bool isOne =
      value == std::floor(value) && value >= 1 && value <= static_cast<double>(ask.choices.size());
  if (!isOne)
    right.value = workError("there is no choice " + writtenInFull(value));
  else
    right.text = fill(ask.choices[static_cast<size_t>(value) - 1], lesson_->runs, find).text;
  return right;
}

}  // namespace tilestep::features
