// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting/grid_counts.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "base/figure.h"
#include "device/cuda/counting/warp_classes.h"

namespace tilestep::cuda {
namespace {

constexpr uint32_t kLanes = ptx::TraceLog::kLanes;
/// Words that each lane of an exemplar may log in its first run. An exemplar that needs more is run
/// again.
constexpr uint64_t kLeastRoom = 64, kMostRoom = 1 << 20;
/// All logs of a job together may need this many times the log memory, and therefore at least this
/// many runs.
constexpr uint64_t kMostLogs = 32;
/// The most runs that one exemplar may need because its log was too small.
constexpr uint32_t kMostAttempts = 8;
/// An exemplar's log has at least this many words per lane.
constexpr uint64_t kLeastWords = 2;
constexpr uint64_t kStride = ptx::TraceLog::kStride;  ///< Bytes of one word of all lanes.
constexpr const char* kInstead =
    "; choose smaller sizes, or count in the interpreter (--device simt).";
/// The most host threads that count, and the fewest logs that justify another thread.
constexpr size_t kMostThreads = 8, kLeastShare = 4;

uint32_t warpsOf(const Launch& launch) {
  return static_cast<uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
}

void addTimes(trace::GlobalCounts& sum, const trace::GlobalCounts& one, uint64_t times) {
  sum += {one.threads * times, one.requests * times, one.sectors * times, one.bytes * times,
          one.distinctBytes * times};
}

void addTimes(trace::SharedCounts& sum, const trace::SharedCounts& one, uint64_t times) {
  sum.requests += one.requests * times;
  sum.wavefronts += one.wavefronts * times;
  sum.bankConflicts += one.bankConflicts * times;
}

void addTimes(trace::Counters& sum, const trace::Counters& one, uint64_t times) {
  addTimes(sum.globalLoad, one.globalLoad, times);
  addTimes(sum.globalStore, one.globalStore, times);
  addTimes(sum.sharedLoad, one.sharedLoad, times);
  addTimes(sum.sharedStore, one.sharedStore, times);
  sum.barriers += one.barriers * times;
  sum.ffma += one.ffma * times;
  sum.fadd += one.fadd * times;
  sum.fmul += one.fmul * times;
  sum.threadInstructions += one.threadInstructions * times;
}

/// Counts the launches of one job.
class GridCounter {
 public:
  GridCounter(CountingMachine& machine, const std::vector<CountedLaunch>& launches)
      : machine_(machine), launches_(launches) {
    for (const CountedLaunch& one : launches) {
      classes_.emplace_back(warpsOf(one.launch), one.entry->layout.ofOnePlace);
    }
  }

  Result<GridCount> run() {
    if (Status s = classify(); !s) return s.error();
    for (size_t i = 0; i < launches_.size(); ++i) {
      if (Status s = countExemplars(i); !s) return s.error();
    }
    count_.mistakeLog2 = mistakeLog2();
    if (count_.mistakeLog2 > kMostMistake) return tooLong();
    finish();
    return std::move(count_);
  }

 private:
  // ---- Classes ----

  /// The number of blocks that can write signatures in one run. All other blocks write to one extra
  /// slot.
  [[nodiscard]] uint64_t blocksAtOnce(const CountedLaunch& launch) const {
    const uint64_t each = warpsOf(launch.launch) * launch.entry->layout.bytesPerWarp();
    const uint64_t room = machine_.signatureBytes() / each;
    return std::clamp<uint64_t>(room, 2, launch.launch.grid.count() + 1) - 1;
  }

  /// Runs all launches repeatedly until each block has written its signatures.
  Status classify() {
    bool isDone = false;
    for (uint64_t pass = 0; !isDone; ++pass) {
      isDone = true;
      if (Status s = machine_.restart(); !s) return s;
      for (size_t i = 0; i < launches_.size(); ++i) {
        const uint64_t blocks = launches_[i].launch.grid.count(), most = blocksAtOnce(launches_[i]);
        const uint64_t first = std::min(pass * most, blocks);
        const uint64_t now = std::min(most, blocks - first);
        isDone = isDone && first + now == blocks;
        if (Status s = classifyBlocks(i, first, now); !s) return s;
      }
    }
    return {};
  }

  Status classifyBlocks(size_t launch, uint64_t first, uint64_t blocks) {
    if (Status s =
            machine_.sign(launch, static_cast<uint32_t>(first), static_cast<uint32_t>(blocks));
        !s) {
      return s;
    }
    if (blocks == 0) return {};
    const uint32_t warps = warpsOf(launches_[launch].launch);
    const Result<std::vector<uint64_t>> keys = machine_.keys(launch, blocks * warps);
    if (!keys) return keys.error();
    classes_[launch].add(*keys, first * warps);
    count_.warps += blocks * warps;
    return {};
  }

  /// A hash is a polynomial modulo a prime. Two different sequences of up to n numbers have equal
  /// hashes for at most n multipliers, and each sequence has two hashes. A thread is assumed to
  /// hash as many numbers as an exemplar's log has words: signatures include the number of hashed
  /// decisions, so a thread that hashes more is in another class. A warp's key is a hash of three
  /// numbers for each word of its signature. The bound assumes that any warp may be mistaken for
  /// any class.
  [[nodiscard]] double mistakeLog2() const {
    constexpr double kPrimeLog2 = 61, kNumbersPerWord = 3;
    double most = static_cast<double>(longest_);
    for (const CountedLaunch& launch : launches_) {
      most =
          std::max(most, kNumbersPerWord * static_cast<double>(launch.entry->layout.kinds.size()));
    }
    const double pairs = static_cast<double>(count_.warps) * static_cast<double>(count_.classes);
    return std::log2(std::max(pairs, 1.0)) + 1 + 2 * (std::log2(std::max(most, 1.0)) - kPrimeLog2);
  }

  // ---- Exemplars ----

  /// Runs the launches up to this one repeatedly until all of its exemplars are counted.
  Status countExemplars(size_t launch) {
    std::vector<WarpClass*> open;
    for (WarpClass& one : classes_[launch].all()) open.push_back(&one);
    count_.classes += open.size();
    const uint64_t most = kMostLogs * machine_.logBytes();
    if (open.size() * kLeastWords * kStride > most) return tooMany(launch);
    while (!open.empty()) {
      const std::vector<WarpClass*> now = choose(open);
      const Result<std::vector<WarpLog>> logs = logsOf(launch, now);
      if (!logs) return logs.error();
      std::vector<Logged> whole;
      for (size_t i = 0; i < now.size(); ++i) {
        const WarpLog& log = (*logs)[i];
        if (log.longest() <= log.room) {
          count_.logBytes += log.longest() * kStride;
          longest_ = std::max(longest_, log.longest());
          whole.push_back({&log, now[i]->warps});
          continue;
        }
        if (Status s = makeRoom(launch, *now[i], log.longest()); !s) return s;
        open.push_back(now[i]);
      }
      if (Status s = countLogs(launches_[launch], whole); !s) return s;
      if (count_.logBytes > most) return tooMany(launch);
    }
    return {};
  }

  /// Sets the log size of an exemplar that needed `words` words for one lane. Adds a few words,
  /// because a thread's path may differ between runs.
  Status makeRoom(size_t launch, WarpClass& one, uint64_t words) const {
    if (words * kStride > machine_.logBytes()) return tooLarge(launch, words);
    if (++one.attempts == kMostAttempts) return tooDifferent(launch);
    one.room = std::min(words + words / 4, machine_.logBytes() / kStride);
    return {};
  }

  /// The log of an exemplar, and the number of warps that it represents.
  struct Logged {
    const WarpLog* log = nullptr;
    uint64_t warps = 0;
  };

  /// The counts of one part of the logs.
  struct Counted {
    trace::GridCounters counters;
    trace::BranchLines branches;
  };

  /// Counts the logs on several host threads, one part per thread.
  Status countLogs(const CountedLaunch& launch, const std::vector<Logged>& logged) {
    const size_t threads = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
    const size_t share = std::max(kLeastShare, (logged.size() + threads - 1) / threads);
    std::vector<std::future<Result<Counted>>> parts;
    for (size_t from = 0; from < logged.size(); from += share) {
      const std::span<const Logged> part =
          std::span(logged).subspan(from, std::min(share, logged.size() - from));
      // If the system has no more threads, `deferred` runs the part on this one.
      parts.push_back(std::async(std::launch::async | std::launch::deferred,
                                 [&launch, part] { return countPart(launch, part); }));
    }
    Status done;
    for (auto& part : parts) {
      Result<Counted> counts = part.get();
      if (!counts) done = counts.error();
      if (!counts) continue;
      add(count_.counters, counts->counters);
      count_.branches.merge(counts->branches);
    }
    return done;
  }

  static Result<Counted> countPart(const CountedLaunch& launch, std::span<const Logged> logged) {
    constexpr size_t kMost = trace::GridCounters::kMaxEpochs;
    WarpCounter counter(launch.entry->program, launch.entry->log);
    trace::GridCounters grid;
    for (const Logged& one : logged) {
      const Result<WarpCounts> counts = counter.count(*one.log);
      if (!counts) return counts.error();
      if (grid.epochs.size() < counts->size()) grid.epochs.resize(std::min(counts->size(), kMost));
      grid.epochsTruncated = grid.epochsTruncated || counts->size() > kMost;
      for (size_t e = 0; e < counts->size(); ++e)
        addTimes(grid.epochs[std::min(e, kMost - 1)], (*counts)[e], one.warps);
    }
    return Counted{std::move(grid), counter.branches()};
  }

  static void add(trace::GridCounters& sum, const trace::GridCounters& part) {
    if (sum.epochs.size() < part.epochs.size()) sum.epochs.resize(part.epochs.size());
    for (size_t e = 0; e < part.epochs.size(); ++e) sum.epochs[e] += part.epochs[e];
    sum.epochsTruncated = sum.epochsTruncated || part.epochsTruncated;
  }

  /// Removes and returns as many classes of `open` as fit into the log memory.
  [[nodiscard]] std::vector<WarpClass*> choose(std::vector<WarpClass*>& open) const {
    const uint64_t words = machine_.logBytes() / kStride;
    // Exemplars whose log length is unknown get equal shares of the memory.
    const uint64_t share = std::clamp(words / open.size(), kLeastRoom, kMostRoom);
    std::vector<WarpClass*> now;
    uint64_t used = 0;
    while (!open.empty()) {
      WarpClass* next = open.back();
      if (next->room == 0) next->room = std::min(share, words);
      if (used + next->room > words && !now.empty()) break;
      used += next->room;
      now.push_back(next);
      open.pop_back();
    }
    return now;
  }

  /// Runs the launch with the classes' exemplars, after the launches before it.
  Result<std::vector<WarpLog>> logsOf(size_t launch, const std::vector<WarpClass*>& now) {
    if (Status s = machine_.restart(); !s) return s.error();
    for (size_t i = 0; i < launch; ++i) {
      if (Status s = machine_.sign(i, 0, 0); !s) return s.error();
    }
    const CountedLaunch& counted = launches_[launch];
    const uint32_t warps = warpsOf(counted.launch);
    std::vector<uint32_t> places(
        counted.launch.grid.count() * warps,
        counted.mayLeaveOut ? ptx::ExemplarLog::kAbsent : ptx::ExemplarLog::kNone);
    std::vector<uint64_t> rooms;
    for (const WarpClass* one : now) {
      const uint64_t block = one->exemplar / warps * warps;
      std::replace(places.begin() + ptrdiff_t(block), places.begin() + ptrdiff_t(block + warps),
                   ptx::ExemplarLog::kAbsent, ptx::ExemplarLog::kNone);
      places[one->exemplar] = static_cast<uint32_t>(rooms.size()) + 1;
      rooms.push_back(one->room);
    }
    if (Status s = machine_.log(launch, places, rooms); !s) return s.error();
    Result<std::vector<WarpLog>> logs = machine_.logs();
    if (!logs) return logs;
    if (logs->size() != now.size()) return workError("The GPU's logs are not complete.");
    for (size_t i = 0; i < now.size(); ++i) {
      const uint64_t inBlock = now[i]->exemplar % warps;
      (*logs)[i].lanes = static_cast<uint32_t>(
          std::min<uint64_t>(kLanes, counted.launch.block.count() - inBlock * kLanes));
    }
    return logs;
  }

  // ---- The result ----

  void finish() {
    if (count_.counters.epochs.empty()) count_.counters.epochs.resize(1);
    for (const trace::Counters& epoch : count_.counters.epochs) count_.counters.total += epoch;
  }

  [[nodiscard]] Error tooLarge(size_t launch, uint64_t words) const {
    return workError("Counting " + launches_[launch].launch.entry + " on a GPU needs a log of " +
                     toText(double(words * kStride), Unit::bytes) +
                     " for a single warp, but the limit is " +
                     toText(double(machine_.logBytes()), Unit::bytes) + kInstead);
  }
  [[nodiscard]] Error tooDifferent(size_t launch) const {
    return workError(
        "The warps of " + launches_[launch].launch.entry +
        " execute more instructions in each run, so a GPU cannot count them; count in the "
        "interpreter (--device simt).");
  }
  [[nodiscard]] Error tooLong() const {
    return workError("The threads of " + launches_.front().launch.entry +
                     " branch so often that different warps might be counted as equal" + kInstead);
  }
  [[nodiscard]] Error tooMany(size_t launch) {
    const Launch& one = launches_[launch].launch;
    return workError("The warps of " + one.entry +
                     " take too many different paths to be counted on a GPU at this size: " +
                     std::to_string(classes_[launch].all().size()) + " of its " +
                     std::to_string(one.grid.count() * warpsOf(one)) +
                     " warps would be logged, which needs more than " + std::to_string(kMostLogs) +
                     " times the " + toText(double(machine_.logBytes()), Unit::bytes) +
                     " available for logs" + kInstead);
  }

  CountingMachine& machine_;
  const std::vector<CountedLaunch>& launches_;
  std::vector<WarpClasses> classes_;  ///< By launch.
  GridCount count_;
  uint64_t longest_ = 0;  ///< Words in the longest log of any lane.
};

}  // namespace

Result<GridCount> countGrid(CountingMachine& machine, const std::vector<CountedLaunch>& launches) {
  return GridCounter(machine, launches).run();
}

}  // namespace tilestep::cuda
