// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting/grid_counts.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>

#include "base/figure.h"

namespace tilestep::cuda {
namespace {

constexpr uint32_t kLanes = ptx::TraceLog::kLanes;
/// Words for each lane of an exemplar in its first run; those that need more run again.
constexpr uint64_t kLeastRoom = 64, kMostRoom = 1 << 20;
/// Logs of a launch that are read in all, in so many times the memory for logs.
constexpr uint64_t kMostRuns = 32;
constexpr uint32_t kMostRunsOfOne = 8;
constexpr const char* kInstead =
    "; choose smaller sizes, or count in the interpreter (--device simt).";
/// Threads that count, and logs that are worth another one.
constexpr size_t kMostThreads = 8, kLeastShare = 4;

/// Warps of one signature.
struct WarpClass {
  uint64_t exemplar = 0;  ///< A warp's number in the grid.
  uint64_t warps = 0;
  uint64_t room = 0;  ///< Words for each lane; 0: not known yet.
  uint32_t runs = 0;  ///< In which its room was not enough.
};

struct Key {
  uint64_t first = 0, second = 0;
  uint32_t place = 0;  ///< In its block, where only warps of one place are compared.
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    return static_cast<size_t>(key.first ^ (key.second << 1) ^ (uint64_t{key.place} << 40));
  }
};

uint32_t warpsOf(const Launch& launch) {
  return static_cast<uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
}

/// The classes of one launch.
class Classes {
 public:
  explicit Classes(const CountedLaunch& launch)
      : warpsPerBlock_(warpsOf(launch.launch)), ofOnePlace_(launch.entry->layout.ofOnePlace) {}

  /// Two words for each warp from number `first` on.
  void add(const std::vector<uint64_t>& keys, uint64_t first) {
    for (size_t i = 0; i + 1 < keys.size(); i += 2) {
      const uint64_t warp = first + i / 2;
      const auto inBlock = static_cast<uint32_t>(warp % warpsPerBlock_);
      const Key key{keys[i], keys[i + 1], ofOnePlace_ ? inBlock : 0};
      const auto [known, isNew] = byKey_.try_emplace(key, all_.size());
      if (isNew) all_.push_back({warp, 0});
      ++all_[known->second].warps;
    }
  }
  [[nodiscard]] std::vector<WarpClass>& all() { return all_; }

 private:
  uint32_t warpsPerBlock_;
  bool ofOnePlace_;
  std::unordered_map<Key, size_t, KeyHash> byKey_;
  std::vector<WarpClass> all_;
};

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

class GridCounter {
 public:
  GridCounter(CountingMachine& machine, const std::vector<CountedLaunch>& launches)
      : machine_(machine), launches_(launches) {
    for (const CountedLaunch& launch : launches) classes_.emplace_back(launch);
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

  /// How many blocks' signatures fit into memory, beside the place that all others share.
  [[nodiscard]] uint64_t windowOf(const CountedLaunch& launch) const {
    const uint64_t each = warpsOf(launch.launch) * launch.entry->layout.bytesPerWarp();
    const uint64_t room = machine_.signatureBytes() / each;
    return std::clamp<uint64_t>(room, 2, launch.launch.grid.count() + 1) - 1;
  }

  /// Runs all launches as often as it takes until each block has written its signature.
  Status classify() {
    bool isDone = false;
    for (uint64_t pass = 0; !isDone; ++pass) {
      isDone = true;
      if (Status s = machine_.restart(); !s) return s;
      for (size_t i = 0; i < launches_.size(); ++i) {
        const uint64_t blocks = launches_[i].launch.grid.count(), window = windowOf(launches_[i]);
        const uint64_t first = std::min(pass * window, blocks);
        const uint64_t now = std::min(window, blocks - first);
        isDone = isDone && first + now == blocks;
        if (Status s = classify(i, first, now); !s) return s;
      }
    }
    return {};
  }

  Status classify(size_t launch, uint64_t first, uint64_t blocks) {
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

  /// Different sequences of up to n numbers have equal polynomial hashes for at most n of the
  /// prime's multipliers, and there are two of each hash. The hash of a thread's way takes no more
  /// words than an exemplar's log has (signatures say how many, so a longer way is another class);
  /// that of a warp takes three numbers for each word of its signature. Any warp might be taken for
  /// one of any class.
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

  /// Runs the launches up to this one until all of its exemplars have logged.
  Status countExemplars(size_t launch) {
    std::vector<WarpClass*> open;
    for (WarpClass& one : classes_[launch].all()) open.push_back(&one);
    count_.classes += open.size();
    const uint64_t most = kMostRuns * machine_.logBytes();
    constexpr uint64_t kLeastWords = 2;
    if (open.size() * kLeastWords * ptx::TraceLog::kStride > most) return tooMany(launch);
    while (!open.empty()) {
      const std::vector<WarpClass*> now = choose(open);
      const Result<std::vector<WarpLog>> logs = logsOf(launch, now);
      if (!logs) return logs.error();
      std::vector<Logged> whole;
      for (size_t i = 0; i < now.size(); ++i) {
        const WarpLog& log = (*logs)[i];
        const uint64_t wanted = *std::ranges::max_element(log.wanted);
        if (wanted <= log.room) {
          count_.logBytes += wanted * ptx::TraceLog::kStride;
          longest_ = std::max(longest_, wanted);
          whole.push_back({&log, now[i]});
          continue;
        }
        if (wanted * ptx::TraceLog::kStride > machine_.logBytes()) return tooLarge(launch, wanted);
        // A way that changes from run to run may be longer the next time.
        if (++now[i]->runs == kMostRunsOfOne) return tooDifferent(launch);
        now[i]->room = std::min(wanted + wanted / 4, machine_.logBytes() / ptx::TraceLog::kStride);
        open.push_back(now[i]);
      }
      if (Status s = countAll(launches_[launch], whole); !s) return s;
      if (count_.logBytes > most) return tooMany(launch);
    }
    return {};
  }

  struct Logged {
    const WarpLog* log = nullptr;
    const WarpClass* of = nullptr;
  };

  /// Each thread takes its share of the logs.
  Status countAll(const CountedLaunch& launch, const std::vector<Logged>& logged) {
    const size_t threads = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
    const size_t share = std::max(kLeastShare, (logged.size() + threads - 1) / threads);
    std::vector<std::future<Result<trace::GridCounters>>> parts;
    for (size_t from = 0; from < logged.size(); from += share) {
      const std::span<const Logged> part =
          std::span(logged).subspan(from, std::min(share, logged.size() - from));
      // Where no thread is left, `deferred` has this one count.
      parts.push_back(std::async(std::launch::async | std::launch::deferred,
                                 [&launch, part] { return countPart(launch, part); }));
    }
    Status done;
    for (auto& part : parts) {
      const Result<trace::GridCounters> counts = part.get();
      if (!counts) done = counts.error();
      if (counts) add(count_.counters, *counts);
    }
    return done;
  }

  static Result<trace::GridCounters> countPart(const CountedLaunch& launch,
                                               std::span<const Logged> logged) {
    constexpr size_t kMost = trace::GridCounters::kMaxEpochs;
    WarpCounter counter(launch.entry->program, launch.entry->log);
    trace::GridCounters grid;
    for (const Logged& one : logged) {
      const Result<WarpCounts> counts = counter.count(*one.log);
      if (!counts) return counts.error();
      if (grid.epochs.size() < counts->size()) grid.epochs.resize(std::min(counts->size(), kMost));
      grid.epochsTruncated = grid.epochsTruncated || counts->size() > kMost;
      for (size_t e = 0; e < counts->size(); ++e)
        addTimes(grid.epochs[std::min(e, kMost - 1)], (*counts)[e], one.of->warps);
    }
    return grid;
  }

  static void add(trace::GridCounters& sum, const trace::GridCounters& part) {
    if (sum.epochs.size() < part.epochs.size()) sum.epochs.resize(part.epochs.size());
    for (size_t e = 0; e < part.epochs.size(); ++e) sum.epochs[e] += part.epochs[e];
    sum.epochsTruncated = sum.epochsTruncated || part.epochsTruncated;
  }

  /// Takes as many classes out of `open` as have room for their logs.
  [[nodiscard]] std::vector<WarpClass*> choose(std::vector<WarpClass*>& open) const {
    const uint64_t words = machine_.logBytes() / ptx::TraceLog::kStride;
    // Those that nobody has seen yet share the memory evenly.
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

  void finish() {
    if (count_.counters.epochs.empty()) count_.counters.epochs.resize(1);
    for (const trace::Counters& epoch : count_.counters.epochs) count_.counters.total += epoch;
  }

  [[nodiscard]] Error tooLarge(size_t launch, uint64_t words) const {
    return workError("Counting " + launches_[launch].launch.entry + " on a GPU takes a log of " +
                     toText(double(words * ptx::TraceLog::kStride), Unit::bytes) +
                     " for a single warp, and there is room for " +
                     toText(double(machine_.logBytes()), Unit::bytes) + kInstead);
  }
  [[nodiscard]] Error tooDifferent(size_t launch) const {
    return workError("The warps of " + launches_[launch].launch.entry +
                     " go longer ways in each run, so a GPU cannot count them; count in the "
                     "interpreter (--device simt).");
  }
  [[nodiscard]] Error tooLong() const {
    return workError("The warps of " + launches_.front().launch.entry +
                     " go ways so long that two of them might be taken for one" + kInstead);
  }
  [[nodiscard]] Error tooMany(size_t launch) {
    const Launch& one = launches_[launch].launch;
    return workError("The warps of " + one.entry +
                     " behave too differently to be counted on a GPU at this size: " +
                     std::to_string(classes_[launch].all().size()) + " of its " +
                     std::to_string(one.grid.count() * warpsOf(one)) +
                     " warps have to be logged, which takes more than " +
                     std::to_string(kMostRuns) + " times the " +
                     toText(double(machine_.logBytes()), Unit::bytes) + " that there are for logs" +
                     kInstead);
  }

  CountingMachine& machine_;
  const std::vector<CountedLaunch>& launches_;
  std::vector<Classes> classes_;
  GridCount count_;
  uint64_t longest_ = 0;  ///< Words of one lane's log.
};

}  // namespace

Result<GridCount> countGrid(CountingMachine& machine, const std::vector<CountedLaunch>& launches) {
  return GridCounter(machine, launches).run();
}

}  // namespace tilestep::cuda
