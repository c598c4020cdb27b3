// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/live.h"
#include "lab/experiment.h"
#include "model/timeline_figures.h"
#include "model/view.h"

/// Live mode: samples of single launches over time, and what is known of the configurations that
/// they belong to. LiveRecorder gathers, LiveView is what is drawn.
namespace tilestep::model {

/// One launch. Nothing between two of them is known.
struct LivePoint {
  double seconds = 0;  ///< When it started, since live mode began.
  float ms = 0;
  uint32_t run = 0;  ///< Number of its run, counted from 0 (LiveView::runOf).
};
inline constexpr size_t kLivePoints = 100'000;  ///< Kept; older ones are dropped, and counted.
inline constexpr size_t kLiveRuns = 500;        ///< Likewise, with their points.

/// One configuration: what stays while its launches are sampled.
struct LiveRun {
  std::shared_ptr<const lab::Experiment> experiment;  ///< The measured one.
  std::string key;                                    ///< Its keyOf.
  std::string kernel;                                 ///< "tiled"
  std::string label;                                  ///< "tiled · TILE_WIDTH 16 · 4096"
  std::string change;  ///< Against the run before: "TILE_WIDTH 8 → 16"; empty for the first.
  std::string device;
  double seconds = 0;  ///< Of its first sample.
  uint32_t every = 1;  ///< One launch of so many is timed.
  /// Of one launch; absent: not counted, or the kernel names none. A rate of a sample is one of
  /// these over that launch's own time.
  std::optional<double> operations, askedBytes, sectorBytes, dramBytes;
  std::optional<LiveSplit> split;
  std::optional<double> measuredMs;  ///< Median of the measurement of the same launch.
  /// From a recording: the median and its spread stand for launches that nobody has here.
  std::optional<device::Measurement> recorded;
};

/// The last second of the newest run.
struct LiveRecent {
  size_t samples = 0;
  double medianMs = 0, p10Ms = 0, p90Ms = 0;
  std::optional<double> clockMhz;
  double launchesPerSecond = 0;  ///< All launches, timed or not; 0: not known yet.
};

/// Immutable; chunks are shared between views.
struct LiveView : View {
  static constexpr std::string_view kFeature = "live";
  enum class State : uint8_t { waiting, running, paused, none };
  State state = State::none;
  /// Why there is nothing, or what ended it, and what to do; one sentence.
  std::string said;
  std::string warning;  ///< The GPU is throttled or shared, as far as can be told; else empty.
  std::vector<std::shared_ptr<const std::vector<LivePoint>>> chunks;  ///< In ascending time.
  std::vector<LiveRun> runs;
  uint32_t firstRun = 0;  ///< Number of runs.front().
  size_t points = 0;
  uint64_t forgotten = 0;  ///< Older samples than are kept.
  uint64_t dropped = 0;    ///< Lost on the way, for the window was too slow.
  double seconds = 0;      ///< Now, or when it was paused.
  LiveRecent recent;
  /// The newest run is of the present choice, on the device in use: else no figure of it is one of
  /// now, and the plot alone has it.
  bool ofNow = false;

  /// Null where it was dropped.
  [[nodiscard]] const LiveRun* runOf(const LivePoint& point) const {
    const bool there = point.run >= firstRun && point.run - firstRun < runs.size();
    return there ? &runs[point.run - firstRun] : nullptr;
  }
  /// A rate of one sample, a second: `amount` of its run over its own time.
  [[nodiscard]] static double rate(double amount, float ms) { return amount / ms * 1e3; }
};

/// Everything known of a configuration, from its measurement: operations, bytes, hardware counters.
void addFacts(LiveRun& run, const lab::RunResult& result);

/// In what two runs differ: "TILE_WIDTH 8 → 16, n 1024 → 4096"; the kernels' names where those do.
[[nodiscard]] std::string changeOf(const LiveRun& before, const LiveRun& now);

/// One sentence where the clock is down or launches differ more than they should; else empty.
/// `bestMhz`: the most that this run has had.
[[nodiscard]] std::string warningOf(const LiveRecent& recent, const LiveRun& run, double bestMhz);

/// Gathers samples. Memory is bounded by kLivePoints and kLiveRuns. One thread.
class LiveRecorder {
 public:
  /// A configuration whose samples come next; the one of now, asked for again, is no new one.
  void begin(LiveRun run);
  /// The next batch is the first one of a new stream, whose clock starts at 0.
  void newStream() { streamStart_.reset(); }
  void add(const device::LiveBatch& batch, double now);
  /// The run of now: to learn more of it.
  [[nodiscard]] LiveRun* current() { return runs_.empty() ? nullptr : &runs_.back(); }
  /// A recorded median, at the time when it was looked at.
  void addRecorded(LiveRun run, double now);
  void clear();
  /// All but state and sentences.
  [[nodiscard]] LiveView view(double now) const;

 private:
  static constexpr size_t kChunk = 1000;
  void push(LiveRun run);
  void put(const LivePoint& point);
  void forgetOldest();

  std::vector<std::shared_ptr<const std::vector<LivePoint>>> full_;
  std::vector<LivePoint> open_;  ///< Less than kChunk.
  std::vector<LiveRun> runs_;
  uint32_t firstRun_ = 0;              ///< Runs that were dropped before runs_.front().
  std::optional<double> began_;        ///< The session's clock at 0.
  std::optional<double> streamStart_;  ///< Of the stream, since live mode began.
  double newest_ = 0;
  uint64_t forgotten_ = 0, dropped_ = 0;
  std::optional<double> clockMhz_;
  double bestMhz_ = 0;
  /// Launches of the stream's latest batches, for their rate.
  struct Passed {
    double seconds;
    uint64_t launches;
  };
  std::vector<Passed> passed_;
};

}  // namespace tilestep::model
