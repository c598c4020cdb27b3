// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/live.h"
#include "features/names.h"
#include "lab/experiment.h"
#include "model/timeline_figures.h"
#include "model/view.h"

/// Live mode: timed launches over time, and the configurations that they belong to. LiveRecorder
/// collects samples; LiveView is the snapshot that is drawn.
namespace tilestep::features {

/// One timed launch. The time between two launches is unknown.
struct LivePoint {
  double seconds = 0;  ///< Start time, relative to the start of live mode.
  float ms = 0;
  uint32_t run = 0;  ///< Index of its run, counted from the first run (LiveView::runOf).
};
/// The maximum number of points. Older points are dropped and counted.
inline constexpr size_t kLivePoints = 100'000;
/// The maximum number of runs. Older runs are dropped with their points.
inline constexpr size_t kLiveRuns = 500;

/// A configuration whose launches are sampled.
struct LiveRun {
  std::shared_ptr<const lab::Experiment> experiment;  ///< The measured experiment.
  std::string key;                                    ///< keyOf `experiment`.
  std::string kernel;                                 ///< "tiled"
  std::string label;                                  ///< "tiled · TILE_WIDTH 16 · 4096"
  /// The difference from the previous run: "TILE_WIDTH 8 → 16"; empty for the first run.
  std::string change;
  std::string device;  ///< "NVIDIA H200 no. 2, recorded 2026-11-21"
  double seconds = 0;  ///< Time of its first sample.
  uint32_t every = 1;  ///< One launch in `every` is timed.
  /// Amounts per launch; absent if not counted, or if the kernel declares no operations. A sample's
  /// rate is the amount divided by its launch's own time.
  std::optional<double> operations, askedBytes, sectorBytes, dramBytes;
  std::string dramName, dramFrom;  ///< See DramRate; set if `dramBytes` is known.
  /// The time of the launches that moved `dramBytes`, if it differs from the samples' launches.
  std::optional<double> dramMs;
  std::optional<LiveSplit> split;
  std::optional<double> measuredMs;  ///< Median of the measurement of the same launch.
  /// The median and its spread from a recording; replaces live launches.
  std::optional<device::Measurement> recorded;
};

/// Statistics of the last second of the newest run.
struct LiveRecent {
  size_t samples = 0;
  double medianMs = 0, p10Ms = 0, p90Ms = 0;
  std::optional<double> clockMhz;
  double launchesPerSecond = 0;  ///< All launches, timed or not; 0 if unknown.
};

/// The published state of live mode. Immutable; views share chunks.
struct LiveView : View {
  static constexpr std::string_view kFeature = "live";
  enum class State : uint8_t { waiting, running, paused, none };
  State state = State::none;
  /// A sentence that says why there are no samples, or why they ended, and what the user can do.
  std::string said;
  std::string warning;  ///< Says that the GPU appears to be throttled or shared; otherwise empty.
  std::vector<std::shared_ptr<const std::vector<LivePoint>>> chunks;  ///< In ascending time.
  std::vector<LiveRun> runs;
  uint32_t firstRun = 0;  ///< The index of runs.front().
  size_t points = 0;
  uint64_t forgotten = 0;  ///< Number of older samples that were discarded.
  uint64_t dropped = 0;    ///< See device::LiveBatch::dropped.
  double seconds = 0;      ///< The present time, or the time of the pause.
  LiveRecent recent;
  /// The newest run belongs to the present choice on the device in use. Otherwise its figures are
  /// outdated, and only the plot shows it.
  bool ofNow = false;

  /// Null if the run was dropped.
  [[nodiscard]] const LiveRun* runOf(const LivePoint& point) const {
    const bool there = point.run >= firstRun && point.run - firstRun < runs.size();
    return there ? &runs[point.run - firstRun] : nullptr;
  }
  /// The rate of one sample per second: `amount` per launch, divided by the launch's time.
  [[nodiscard]] static double rate(double amount, float ms) { return amount / ms * 1e3; }
};

/// Adds a measurement's facts to a run: operations, bytes, hardware counters. A recorded run has
/// the DRAM rate of the speed board; a stream has the rate of its own launches.
void addFacts(LiveRun& run, const lab::RunResult& result);

/// What changed between two runs: "TILE_WIDTH 8 → 16, n 1024 → 4096"; or the two kernels' names.
[[nodiscard]] std::string changeOf(const LiveRun& before, const LiveRun& now);

/// A sentence if the clock has dropped or launch times vary too much; otherwise empty. `bestMhz` is
/// the highest clock of this run.
[[nodiscard]] std::string warningOf(const LiveRecent& recent, const LiveRun& run, double bestMhz);

/// Collects samples. Memory is bounded by kLivePoints and kLiveRuns. For one thread.
class LiveRecorder {
 public:
  /// Starts the configuration of the following samples. No effect if it is the current one.
  void begin(LiveRun run);
  /// Call before the first batch of a new stream, whose clock starts at 0.
  void newStream() { streamStart_.reset(); }
  void add(const device::LiveBatch& batch, double now);
  /// The run that receives samples; facts can be added to it.
  [[nodiscard]] LiveRun* current() { return runs_.empty() ? nullptr : &runs_.back(); }
  /// Adds a recorded median at the time when the user viewed it.
  void addRecorded(LiveRun run, double now);
  void clear();
  /// The view without state and sentences.
  [[nodiscard]] LiveView view(double now) const;

 private:
  static constexpr size_t kChunk = 1000;
  void push(LiveRun run);
  void put(const LivePoint& point);
  void forgetOldest();

  std::vector<std::shared_ptr<const std::vector<LivePoint>>> full_;
  std::vector<LivePoint> open_;  ///< The newest points; fewer than kChunk.
  std::vector<LiveRun> runs_;
  uint32_t firstRun_ = 0;              ///< Number of runs dropped so far.
  std::optional<double> began_;        ///< The session's time at which live mode began.
  std::optional<double> streamStart_;  ///< The stream's start, relative to live mode's.
  double newest_ = 0;
  uint64_t forgotten_ = 0, dropped_ = 0;
  std::optional<double> clockMhz_;
  double bestMhz_ = 0;
  /// The launches of the stream's latest batches, from which the launch rate is computed.
  struct Passed {
    double seconds;
    uint64_t launches;
  };
  std::vector<Passed> passed_;
};

}  // namespace tilestep::features
