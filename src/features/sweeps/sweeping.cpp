// SPDX-License-Identifier: Apache-2.0
// The session's part in sweeps: which picture, what is asked for, what came.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/utc.h"
#include "compile/front_matter/front_matter.h"
#include "features/sweeps/sweep_axes.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "lab/sweep.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

constexpr const char* kAbout = "sweep";
/// Between a worker's answer and the next question.
constexpr double kOverheadSeconds = 0.01;

bool samePlan(const SweepPlan& a, const SweepPlan& b) {
  const auto samePoint = [](const SweepPoint& p, const SweepPoint& q) {
    return p.key == q.key && p.illegal == q.illegal && p.column == q.column && p.row == q.row;
  };
  const auto sameSeries = [](const SweepSeries& s, const SweepSeries& t) {
    return s.name == t.name && s.code == t.code;
  };
  return a.kind == b.kind && a.device == b.device && a.x.name == b.x.name &&
         a.x.values == b.x.values && a.y.name == b.y.name && a.y.values == b.y.values &&
         a.fixed == b.fixed && a.axesAt == b.axesAt && a.impossible == b.impossible &&
         a.leftOut == b.leftOut && std::ranges::equal(a.series, b.series, sameSeries) &&
         std::ranges::equal(a.points, b.points, samePoint);
}

/// A file's lines as if they were a recording: which values there are. Nothing is measured by it.
lab::DeviceRecording recordingOf(const SweepFile& file, const compile::KernelSpec& spec) {
  lab::DeviceRecording recording;
  const SweepFileRow& first = file.rows.front();
  recording.device.id = first.device;
  recording.device.name = first.deviceName.empty() ? first.device : first.deviceName;
  recording.kernels.push_back({spec.name, 0, {}, {}});
  for (const SweepFileRow& row : file.rows) {
    if (row.kernel != first.kernel) continue;
    lab::RecordedPoint point;
    for (const auto& [name, value] : row.values)
      (spec.sizes.contains(name) ? point.sizes : point.tunables)[name] = value;
    recording.device.measures |= row.sample.time.has_value();
    recording.points.push_back(std::move(point));
  }
  return recording;
}

/// What a file's lines differ in tells which picture shows them.
SweepChoice pictureOf(const SweepFile& file, const compile::KernelSpec& spec) {
  const auto varies = [&](const std::string& name) {
    const auto of = [&](const SweepFileRow& row) {
      const auto at = row.values.find(name);
      return at == row.values.end() ? 0 : at->second;
    };
    return std::ranges::any_of(file.rows,
                               [&](const auto& row) { return of(row) != of(file.rows.front()); });
  };
  std::vector<size_t> tunables;
  for (size_t i = 0; i < spec.tunables.size(); ++i)
    if (varies(spec.tunables[i].name)) tunables.push_back(i);
  SweepChoice choice;
  if (tunables.empty()) {
    choice.kind = SweepKind::sizes;
  } else if (tunables.size() == 1) {
    choice.axes = tunables.front();
  } else {
    choice.kind = SweepKind::shapes;
  }
  return choice;
}

}  // namespace

void Session::lookAtSweep(const std::optional<SweepChoice>& choice) {
  if (choice == sweep_.look) return;
  sweep_.look = choice;
  ladder_.bestKey.clear();  // A search may have ended since.
  refreshSweep();
  dirty_ = true;
}

std::shared_ptr<const lab::DeviceRecording> Session::recordingHere() {
  const device::DeviceInfo* device = resolved_->device;
  constexpr std::string_view kPrefix = "recorded:";
  if (device == nullptr || !device->id.starts_with(kPrefix)) return nullptr;
  if (recordingHere_.of == device->id) return recordingHere_.now;
  if (recordingHere_.read.valid()) return nullptr;  // Of another; its turn comes.
  recordingHere_.of = device->id;
  recordingHere_.now.reset();
  const std::string file = lab::recordingFile(options_.home, device->id.substr(kPrefix.size()));
  recordingHere_.read = std::async(std::launch::async, [file] { return lab::readRecording(file); });
  return nullptr;
}

void Session::refreshSweep() {
  const compile::CatalogueEntry* entry = resolved_->entry;
  const device::DeviceInfo* device = resolved_->device;
  if (ladderShown() && device != nullptr) {
    const std::shared_ptr<const lab::DeviceRecording> recording = recordingHere();
    if (recordingHere_.read.valid()) return sweeps_.hide();  // Until it is read.
    SweepInputs in = ladderInputs(*device, entry);
    in.recording = recording.get();
    return showSweep(in, recording);
  }
  const bool possible = sweep_.look && entry != nullptr && entry->spec && device != nullptr;
  if (!possible) return sweeps_.hide();
  SweepInputs in;
  in.kind = sweep_.look->kind;
  in.axes = sweep_.look->axes;
  in.main = {entry, resolved_->tunables};
  in.sizes = resolved_->measureSizes;
  const SweepFile* file = sweeps_.opened();
  const bool fromFile = file != nullptr && file->rows.front().kernel == entry->spec->name;
  std::shared_ptr<const lab::DeviceRecording> recording;
  if (fromFile) {
    recording = recordingHere_.file;
    in.file = true;
    device = &recordingHere_.file->device;
  } else {
    recording = recordingHere();
    if (recordingHere_.read.valid()) return sweeps_.hide();  // Until it is read.
  }
  in.device = device;
  in.recording = recording.get();
  const auto planned = compile::plan(*entry->spec, in.sizes, in.main.tunables, device->limits);
  const compile::CatalogueEntry* beside = fromFile ? nullptr : resolved_->besideEntry();
  if (planned && beside != nullptr) {
    in.beside = SweepKernel{beside, resolved_->besideTunables(*beside, *planned, false)};
    in.besideAlong = [this, beside](const compile::Plan& main) {
      return resolved_->besideTunables(*beside, main, false);
    };
  }
  for (const std::string& name : resolved_->besideNames) {
    const compile::CatalogueEntry* other = resolved_->find(name);
    if (!planned || fromFile || other == entry || other == beside) continue;
    in.others.push_back({other, companionTunables(*other->spec, *planned)});
  }
  showSweep(in, recording);
}

void Session::showSweep(const SweepInputs& in,
                        const std::shared_ptr<const lab::DeviceRecording>& recording) {
  auto plan = std::make_shared<const SweepPlan>(makeSweepPlan(in));
  const bool same = sweeps_.plan() && samePlan(*sweeps_.plan(), *plan);
  if (!same) sweeps_.show(plan, recording);
  // The same kernels at the present choice.
  const bool whole = in.device->measures || in.kind == SweepKind::ladder;
  const compile::Bindings sizes = whole ? in.sizes : smallSizesOf(in.sizes);
  sweep_.now.clear();
  for (const SweepSeries& series : plan->series) {
    compile::Bindings now = sizes;
    const auto add = [&](const SweepKernel& kernel) {
      if (compile::stemOf(kernel.entry->source.path) == series.kernel)
        now.insert(kernel.tunables.begin(), kernel.tunables.end());
    };
    if (series.main && in.kind == SweepKind::ladder)
      add({in.main.entry, tunablesOf(choice_, *in.main.entry->spec)});
    else if (series.main)
      add(in.main);
    if (in.beside && !series.main) add(*in.beside);
    for (const SweepKernel& other : in.others)
      if (in.kind != SweepKind::ladder) add(other);
    // Another rung is never what is chosen now, though it may have no tunables to differ in.
    if (in.kind == SweepKind::ladder && !series.main) now.clear();
    sweep_.now.push_back(std::move(now));
  }
  sweep_.viewKey.clear();
  dirty_ = true;
}

void Session::runSweep(bool again) {
  clearNotice(kAbout);
  if (sweep_.look) sweeps_.start(sweep_.look->quantity, again);
  if (again && ladderShown()) ladder_.counts.forgetFailed();
  dirty_ = true;
}

void Session::cancelSweep() {
  sweeps_.cancel();
  dirty_ = true;
}

/// Asks for one point after the other, and takes over what was read meanwhile.
void Session::askSweep() {
  using namespace std::chrono_literals;
  if (recordingHere_.read.valid() &&
      recordingHere_.read.wait_for(0s) == std::future_status::ready) {
    Result<lab::DeviceRecording> read = recordingHere_.read.get();
    // What cannot be read here, the worker may.
    if (read) recordingHere_.now = std::make_shared<const lab::DeviceRecording>(std::move(*read));
    refreshSweep();
  }
  std::optional<lab::Experiment> wanted = sweeps_.wanted();
  const bool counting = !wanted && (wanted = wantedLadderCount()).has_value();
  ladder_.asked = counting ? keyOf(*wanted) : "";
  if (!wanted) {
    if (!std::exchange(sweep_.asked, {}).empty()) requests_.drop(Slot::sweep);
    return;
  }
  if (requests_.waitsOrRuns(Slot::sweep) && sweep_.asked == keyOf(*wanted)) return;
  sweep_.asked = keyOf(*wanted);
  requests_.want(Slot::sweep, *wanted, now_);
}

void Session::acceptSweep(const Arrival& arrival) {
  if (arrival.key != sweep_.asked) return;
  if (!ladder_.asked.empty()) {
    acceptLadderCount(arrival);
    return askSweep();
  }
  if (const auto* result = std::get_if<lab::RunResult>(&arrival.reply.body)) {
    sweeps_.took(result->wallSeconds + kOverheadSeconds);
    sweeps_.accept(*result, utcToday());
  } else if (const Error* error = std::get_if<Error>(&arrival.reply.body)) {
    if (!sweeps_.acceptError(*error, arrival.reply.lost))
      say({Notice::Kind::error,
           kAbout,
           "The sweep has ended, for the worker was lost three times in a row: " + error->message +
               " What came before stays; C goes on.",
           {},
           {}});
  }
  askSweep();
}

std::optional<double> Session::guessSweepSeconds() const {
  const bool live = resolved_->device != nullptr && resolved_->device->measures;
  const lab::RunResult* last = live        ? measured_.main.get()
                               : mainSide_ ? mainSide_->result.get()
                                           : nullptr;
  if (last == nullptr || last->wallSeconds <= 0) return std::nullopt;
  const double compiling = last->compiler.cached ? last->compiler.ms * 1e-3 : 0;
  return last->wallSeconds + compiling;
}

void Session::publishSweep(Snapshot& to) {
  for (Error& error : sweeps_.takeTrouble()) {
    const std::string place =
        error.where ? error.where->file + ":" + std::to_string(error.where->line) : "";
    say({Notice::Kind::warning, kAbout, std::move(error.message), place, {}});
  }
  to.sweepProgress = sweeps_.progress();
  to.sweepProgress.paused = to.sweepProgress.running && requests_.busyBefore(Slot::sweep);
  if (!sweeps_.plan() || !sweep_.look) {
    sweep_.view.reset();
    sweep_.viewKey.clear();
    return;
  }
  const std::string key = std::to_string(sweeps_.version()) + "/" +
                          std::to_string(static_cast<int>(sweep_.look->quantity));
  if (key != sweep_.viewKey || !sweep_.view) {
    sweep_.viewKey = key;
    sweep_.view = std::make_shared<const SweepView>(
        sweeps_.view(sweep_.look->quantity, sweep_.now, guessSweepSeconds()));
  }
  to.sweep = sweep_.view;
  publishLadder(to);
}

bool Session::goToSweepPoint(size_t cell) {
  if (!sweeps_.plan() || cell >= sweeps_.plan()->points.size()) return false;
  const std::shared_ptr<const SweepPlan> plan = sweeps_.plan();
  const SweepPoint& point = plan->points[cell];
  if (!point.illegal.empty()) return false;
  const std::string& kernel = plan->series[point.series].kernel;
  if (resolved_->find(kernel) == nullptr) return false;  // A library's product has no steps.
  endGesture();
  change("sweep point", [&](Choice& choice) {
    if (choice.kernel != kernel) {
      // They change places, so that both stay in view.
      if (choice.beside.kernel != Comparison::kNone) choice.beside.kernel = choice.kernel;
      choice.kernel = kernel;
      choice.withoutBarrier = 0;
      choice.beside.block.reset();
    }
    choice.tunables[kernel] = point.tunables;
    choice.measure.values = point.sizes;
    choice.measure.linked = std::ranges::all_of(
        point.sizes, [&](const auto& size) { return size.second == point.sizes.begin()->second; });
    choice.looks.switches.stage = Stage::scene;
  });
  endGesture();
  ++looksTakenBack_;
  return true;
}

void Session::openSweepFile(const std::string& path) {
  const auto refuse = [&](const Error& error) {
    const std::string place =
        error.where ? error.where->file + ":" + std::to_string(error.where->line) : path;
    say({Notice::Kind::error,
         kAbout,
         "This file holds no sweep: " + error.message + ".",
         place,
         {}});
  };
  const Result<std::string> text = readTextFile(path, kMostSweepFileBytes);
  if (!text) return refuse(text.error());
  Result<SweepFile> file = parseSweepFile(path, *text);
  if (!file) return refuse(file.error());
  if (file->rows.empty()) return refuse(requestError("it has no points"));
  const std::string kernel = file->rows.front().kernel;
  const size_t colon = kernel.find(':');  // See lab::sweptName.
  const std::string stem = kernel.substr(0, colon);
  const compile::CatalogueEntry* entry = resolved_->find(stem);
  if (entry == nullptr || !entry->spec)
    return refuse(requestError("its kernel " + stem + " is not here; open " + stem + ".cu first"));
  if (lab::sweptName(entry->source, *entry->spec) != kernel)
    return refuse(requestError(
        "its points are of another function of " + stem + ".cu; start the window with --kernel " +
        stem + ".cu" + (colon == kernel.npos ? "" : " --entry " + kernel.substr(colon + 1))));
  recordingHere_.file =
      std::make_shared<const lab::DeviceRecording>(recordingOf(*file, *entry->spec));
  const SweepChoice picture = pictureOf(*file, *entry->spec);
  const compile::Bindings values = file->rows.front().values;
  sweeps_.open(std::move(*file), std::filesystem::path(path).filename().string());
  clearNotice(kAbout);
  change("sweep file", [&](Choice& choice) {
    choice.kernel = stem;
    for (const auto& [name, value] : values)
      (entry->spec->sizes.contains(name) ? choice.measure.values : choice.tunables[stem])[name] =
          value;
    choice.measure.linked = false;
    choice.looks.switches.stage = Stage::sweeps;
    choice.looks.switches.sweep = picture;
  });
  endGesture();
  ++looksTakenBack_;
  refreshSweep();
  dirty_ = true;
}

void Session::closeSweepFile() {
  sweeps_.close();
  recordingHere_.file.reset();
  refreshSweep();
  dirty_ = true;
}

}  // namespace tilestep::model
