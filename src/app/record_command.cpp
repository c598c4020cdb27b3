// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>

#include "app/commands.h"
#include "app/environment.h"
#include "app/options.h"
#include "app/record_plan.h"
#include "app/sweep_progress.h"
#include "base/cannot_write.h"
#include "base/figure.h"
#include "base/files.h"
#include "base/process/file_lock.h"
#include "lab/recording/recording_file.h"
#include "lab/recording/recording_make.h"
#include "worker/crew.h"

namespace tilestep::app {
namespace {

using Clock = std::chrono::steady_clock;

/// A power failure loses at most this much work.
constexpr std::chrono::seconds kBetweenSaves{20};
constexpr int kQuickly = 3, kSmall = 9;

struct RecordOptions {
  std::vector<std::string> kernels;
  std::string file, device = "auto";
  Choice choice;
  WorkerOptions worker;
  double timeoutSeconds = 30;
  uint64_t timelineBlocks = lab::kUsualTimelineBlocks;
  bool resume = false, thorough = false, defaults = false, replace = false, labs = false;
};

// Set by the signal handler, which may access nothing else.
volatile std::sig_atomic_t stopSeen = 0;

/// The first signal ends the recording and keeps the points so far; a second one ends the program.
void catchStops() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stopSeen = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<device::DeviceInfo> gpuOf(worker::Client& client, const std::string& wanted) {
  const Result<worker::DevicesReply> reply =
      bodyOf<worker::DevicesReply>(await(client, client.devices()));
  if (!reply) return reply.error();
  for (const device::DeviceInfo& info : reply->devices) {
    const bool live = info.measures && info.recordedOn.empty();
    if (live && (wanted == "auto" || wanted == info.id)) return info;
  }
  return requestError((wanted == "auto" ? std::string("no GPU answers here")
                                        : "there is no GPU " + wanted + " here") +
                      ", and only a GPU can be recorded; --worker \"ssh gpu-host tilestep worker\" "
                      "records one on another machine");
}

/// The recording in the file, or a new one.
Result<lab::DeviceRecording> openRecording(const RecordOptions& options,
                                           const device::DeviceInfo& gpu) {
  std::error_code ignored;
  if (!std::filesystem::exists(options.file, ignored))
    return lab::beginRecording(gpu, "tilestep " TILESTEP_VERSION, now());
  if (!options.resume) {
    return requestError(options.file +
                        " already exists: continue it with --resume, or name another file");
  }
  Result<lab::DeviceRecording> recording = lab::readRecording(options.file);
  if (!recording) return recording;
  if (const Status may = lab::mayGoOn(*recording, gpu); !may) return may.error();
  lab::thinTimelines(*recording);
  return recording;
}

/// Saves the recording; an interrupted save leaves the previous file intact.
class Keeper {
 public:
  explicit Keeper(std::string file) : file_(std::move(file)) {}

  Status keep(const lab::DeviceRecording& recording, int level) {
    const Result<std::string> bytes = lab::encodeRecording(recording, level);
    if (!bytes) return bytes.error();
    bytes_ = bytes->size();
    keptAt_ = Clock::now();
    return writeFileAtomically(file_, *bytes);
  }
  [[nodiscard]] bool due() const { return Clock::now() - keptAt_ > kBetweenSaves; }
  [[nodiscard]] size_t bytes() const { return bytes_; }

 private:
  std::string file_;
  size_t bytes_ = 0;
  Clock::time_point keptAt_ = Clock::now();
};

std::string nameOf(const lab::DeviceRecording& recording, const RecordPoint& point) {
  return recording.kernels[point.kernel].name + ", " +
         lab::pointText(point.experiment.sizes, point.experiment.tunables);
}

/// One run of the command: its plan and its results.
struct Session {
  const RecordOptions& options;
  lab::DeviceRecording recording;
  uint32_t machine = 0;  ///< This GPU's index among the recording's machines.
  std::vector<RecordPoint> points;
  Keeper keeper;
  size_t recorded = 0, failed = 0;
  Status trouble;  ///< The file cannot be written, so nothing more is requested.
};

void take(Session& session, size_t index, Result<lab::RunResult> outcome, SweepProgress& progress) {
  const RecordPoint& point = session.points[index];
  const lab::PointPlace place{point.kernel, session.machine};
  const Status added =
      outcome ? lab::addPoint(session.recording, place, *outcome, now()) : Status(outcome.error());
  session.recorded += added ? 1 : 0;
  if (!added) {
    ++session.failed;
    progress.clear();
    say("tilestep: not recorded: " + nameOf(session.recording, point) + ": " +
        added.error().message);
  }
  if (session.trouble && session.keeper.due())
    session.trouble = session.keeper.keep(session.recording, kQuickly);
}

Status recordAll(Session& session, std::unique_ptr<worker::Client> client) {
  std::vector<lab::Experiment> experiments;
  for (const RecordPoint& point : session.points) {
    experiments.push_back(point.experiment);
    experiments.back().device = session.options.device;
    experiments.back().timeoutSeconds = session.options.timeoutSeconds;
    experiments.back().thorough = session.options.thorough;
  }
  const size_t before = session.recording.points.size();
  SweepProgress progress(before, before + experiments.size());
  worker::Crew::Events events;
  events.interrupted = [&] { return stopSeen != 0 || !session.trouble; };
  events.tick = [&](size_t finished, const auto& news) { progress.show(finished, news); };
  events.left = [](const Error&) {};
  events.done = [&](size_t index, Result<lab::RunResult> outcome) {
    take(session, index, std::move(outcome), progress);
  };
  std::vector<std::unique_ptr<worker::Client>> clients;
  clients.push_back(std::move(client));
  worker::Crew crew(std::move(clients));
  return crew.run(experiments, 0, events);
}

int report(const Session& session, const Status& ended) {
  const size_t has = session.recording.points.size();
  const size_t done = session.recorded + session.failed;
  const std::string kept = grouped(has) + " points of " + session.recording.device.name + ", " +
                           grouped(session.keeper.bytes()) + " bytes";
  if (!session.trouble) return fail(session.trouble.error());
  if (!ended || done < session.points.size()) {
    if (!ended) fail(ended.error());
    say("tilestep: " + std::string(ended ? "interrupted" : "ended") + " with " +
        grouped(session.points.size() - done) + " points to go; " + session.options.file +
        " keeps " + kept + ": continue with the same command" +
        (session.options.replace ? " without --replace" : " and --resume"));
    return kWrong;
  }
  return print(session.options.file + ": " + kept + "\n", session.failed > 0 ? kWrong : kDone);
}

/// Each machine has its own ceilings, because one GPU's ceilings do not apply to another's points.
void addCeilings(worker::Client& client, const std::string& gpu, uint32_t machine,
                 lab::DeviceRecording& recording) {
  lab::RecordedMachine& here = recording.machines[machine - 1];
  if (here.ceilings) return;
  const auto ceilings = bodyOf<device::Ceilings>(await(client, client.ceilings(gpu)));
  if (!ceilings) return say("tilestep: the recording has no ceilings: " + ceilings.error().message);
  here.ceilings = *ceilings;
  if (!recording.ceilings && machine == 1) recording.ceilings = *ceilings;
}

/// Keeps a copy of the replaced recording, because the new points may never be completed.
Status keepOld(const std::string& file) {
  // Older copies are never overwritten: one of them may be the only complete recording.
  std::string old = file + ".old";
  std::error_code failure;
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(old, failure)); ++i)
    old = file + ".old" + std::to_string(i);
  std::filesystem::copy_file(file, old, failure);
  if (failure) return cannotWrite(old, failure.value());
  say("tilestep: " + old + " keeps the former contents of " + file);
  return {};
}

Result<std::vector<RecordPoint>> planOf(const RecordOptions& options, const Limits& device,
                                        lab::DeviceRecording& recording) {
  if (!options.labs)
    return recordPlan(options.kernels, options.choice, options.defaults, options.replace, device,
                      options.timelineBlocks, recording);
  const Choice& choice = options.choice;
  const bool chooses = !choice.tunables.empty() || !choice.sizes.empty() || !choice.m.empty() ||
                       !choice.n.empty() || !choice.k.empty() || !choice.entry.empty();
  if (!options.kernels.empty() || chooses)
    return requestError(
        "--labs records the labs' own kernels, sizes and tunables; record others "
        "with a separate command");
  const Result<std::filesystem::path> home = findHome();
  if (!home) return home.error();
  const auto kernels = compile::readCatalogue((*home / "kernels").string());
  std::vector<Error> errors;
  const std::vector<model::Lab> labs = model::readLabs(home->string(), kernels, &errors);
  if (!errors.empty()) return errors.front();
  return recordPlanOfLabs(labs, options.replace, device, options.timelineBlocks, recording);
}

int record(const RecordOptions& options) {
  if (options.replace && !options.resume)
    return fail(requestError("--replace continues a recording: it needs --resume"));
  Result<std::unique_ptr<worker::Client>> client = startWorker(options.worker);
  if (!client) return fail(client.error());
  const Result<device::DeviceInfo> gpu = gpuOf(**client, options.device);
  if (!gpu) return fail(gpu.error());
  const Result<FileLock> lock = FileLock::take(options.file, std::chrono::milliseconds(0));
  if (!lock) return fail(lock.error());
  if (!lock->note().empty()) say("tilestep: " + lock->note());
  Result<lab::DeviceRecording> recording = openRecording(options, *gpu);
  if (!recording) return fail(recording.error());
  Result<std::vector<RecordPoint>> points = planOf(options, gpu->limits, *recording);
  if (!points) return fail(points.error());
  uint32_t machine = 0;
  if (!points->empty()) {
    machine = lab::joinMachines(*recording, *gpu, now());
    addCeilings(**client, gpu->id, machine, *recording);
  }
  Session session{options,
                  std::move(recording).value(),
                  machine,
                  std::move(points).value(),
                  Keeper(options.file),
                  0,
                  0,
                  {}};
  catchStops();
  if (options.replace) {
    if (const Status copied = keepOld(options.file); !copied) return fail(copied.error());
  }
  // Detects an unwritable folder before hours of work.
  if (Status kept = session.keeper.keep(session.recording, kQuickly); !kept)
    return fail(kept.error());
  const Status ended = recordAll(session, std::move(*client));
  if (session.trouble) session.trouble = session.keeper.keep(session.recording, kSmall);
  return report(session, ended);
}

}  // namespace

void addRecordCommand(CommandLine& line) {
  auto options = std::make_shared<RecordOptions>();
  Command command =
      line.add("record", "Measures kernels over tunables and sizes on a GPU and saves the figures",
               [options] { return record(*options); });
  command.option("kernel", &options->kernels,
                 "Names or .cu files (the matrix products and the transpose)", {.type = "KERNEL"});
  command.option("--out", &options->file, "The recording: FILE.tsrec",
                 {.type = "FILE", .required = true});
  addDeviceOption(command, options->device, "auto or cuda:N");
  addChoiceOptions(command, options->choice, true);
  command.flag("--resume", options->resume,
               "Continue an interrupted recording, or add points to it");
  command.flag("--replace", options->replace,
               "With --resume: drop all points of these kernels from the file, even those of older "
               "sources, and measure them again");
  command.flag("--defaults", options->defaults,
               "Use only the defaults of tunables that --set does not name");
  command.flag("--labs", options->labs,
               "Record the kernels of all labs, at the sizes for which the labs show times");
  command.flag("--thorough", options->thorough,
               "Measure each point for a second or two, also with a cold L2 cache");
  command.option("--timelines", &options->timelineBlocks,
                 "Keep timelines of launches with at most BLOCKS blocks (4096)",
                 {.type = "BLOCKS"});
  command.option("--timeout", &options->timeoutSeconds, "Give up on a point after SECONDS (30)",
                 {.type = "SECONDS"});
  addWorkerOptions(command, options->worker);
  command.footer(
      "Without --size, the sizes are 64, 256, 512, 1024, 2048 and 4096. Without --set, a tunable "
      "takes every value, or powers of two if there are more than 64; --set KERNEL.NAME=VALUES "
      "applies to one kernel.\n"
      "Example: tilestep record matmul_naive matmul_tiled --out my-gpu.tsrec\n"
      "The ladder: tilestep record kernels/ladder/*.cu cublas:fp32 cublas:fp32-default cublas:tf32 "
      "--defaults --set rung03_tiled.PAD=0,1 --set rung04_banks.PAD=0,1 --size 1024,2048,4096 "
      "--timelines 0 --out my-gpu.tsrec");
}

}  // namespace tilestep::app
