// SPDX-License-Identifier: Apache-2.0
#include "simt/grid.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

#include "base/figure.h"
#include "base/hash.h"
#include "ptx/feeds.h"
#include "simt/tracer.h"

namespace tilestep::simt {
namespace {

using Clock = std::chrono::steady_clock;

Dim3 blockAt(const Dim3& grid, uint64_t number) {
  return {static_cast<uint32_t>(number % grid.x), static_cast<uint32_t>(number / grid.x % grid.y),
          static_cast<uint32_t>(number / grid.x / grid.y)};
}

uint64_t numberOf(const Dim3& grid, const Dim3& block) {
  return block.x + uint64_t{grid.x} * (block.y + uint64_t{grid.y} * block.z);
}

/// Turns 0..count-1 into the same numbers in another order: x -> a x + b modulo count, where a and
/// count share no factor.
class Order {
 public:
  Order(uint64_t order, uint64_t count) : count_(count) {
    if (order == 0) return;
    factor_ = splitmix64(order) % count;
    while (std::gcd(factor_, count) != 1) factor_ = factor_ + 1 < count ? factor_ + 1 : 1;
    shift_ = splitmix64(order + 1) % count;
  }
  [[nodiscard]] uint64_t operator()(uint64_t x) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(factor_) * x + shift_) % count_);
  }

 private:
  uint64_t count_, factor_ = 1, shift_ = 0;
};

trace::Counters countersOf(const Counts& counts) {
  trace::Counters out;
  const auto global = [](const Counts::Global& from, trace::GlobalCounts& to) {
    to = {from.threads, from.requests, from.sectors, from.bytes, from.distinctBytes};
  };
  const auto shared = [](const Counts::Shared& from, trace::SharedCounts& to) {
    to = {from.requests, from.wavefronts, from.bankConflicts};
  };
  global(counts.global[0], out.globalLoad);
  global(counts.global[1], out.globalStore);
  shared(counts.shared[0], out.sharedLoad);
  shared(counts.shared[1], out.sharedStore);
  out.barriers = counts.barriers;
  out.ffma = counts.floats[kFfma];
  out.fadd = counts.floats[kFadd];
  out.fmul = counts.floats[kFmul];
  out.threadInstructions = counts.threadInstructions;
  out.warpInstructions = counts.warpInstructions;
  out.divergentBranches = counts.divergentBranches;
  return out;
}

/// Runs workers on their threads and gathers what they found.
class Grid {
 public:
  Grid(const GridRequest& request, Setup& setup)
      : request_(request),
        setup_(setup),
        order_(request.order, std::max<uint64_t>(1, request.launch.grid.count())) {}

  Result<GridResult> run(const std::function<bool()>& cancelled);

 private:
  void work();
  void takeBlocks(Worker& worker);
  void runBlock(Worker& worker, uint64_t number);
  void gather(const Worker& worker);
  void gatherCounters(const Worker& worker);
  void gatherPrinted(const Worker& worker);
  void finishPrinted();
  bool wait(const std::function<bool()>& cancelled);
  void tellProgress() const;
  void addTimeout();
  [[nodiscard]] unsigned threadCount() const;

  const GridRequest& request_;
  Setup& setup_;
  Order order_;
  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable finished_;
  unsigned running_ = 0;
  GridResult result_;
  HazardTable hazards_;
  std::unique_ptr<GlobalShadows> shadows_;
  std::string failure_;
  bool timedOut_ = false;
  std::optional<Fault> interrupted_;  ///< The first block's that was under way at the end.
};

unsigned Grid::threadCount() const {
  if (request_.trace && request_.trace->onlyThisBlock) return 1;
  const uint64_t blocks = request_.launch.grid.count();
  return static_cast<unsigned>(std::clamp<uint64_t>(request_.threads, 1, blocks));
}

void Grid::runBlock(Worker& worker, uint64_t number) {
  const Dim3 block = blockAt(request_.launch.grid, number);
  if (!request_.trace || !(request_.trace->block == block)) {
    return worker.runBlock(block, nullptr);
  }
  Tracer tracer(setup_, *result_.trace);
  worker.runBlock(block, &tracer);
}

void Grid::takeBlocks(Worker& worker) {
  const uint64_t blocks = request_.launch.grid.count();
  if (request_.trace && request_.trace->onlyThisBlock) {
    return runBlock(worker, numberOf(request_.launch.grid, request_.trace->block));
  }
  // Small enough that the last ones end together.
  const uint64_t chunk = std::clamp<uint64_t>(blocks / (uint64_t{threadCount()} * 64), 1, 64);
  while (!stopRequested(setup_)) {
    const uint64_t first = setup_.nextBlock.fetch_add(chunk);
    if (first >= blocks) return;
    for (uint64_t i = first; i < std::min(first + chunk, blocks); ++i) {
      if (stopRequested(setup_)) return;
      runBlock(worker, order_(i));
      if (worker.broken()) requestStop(setup_);
    }
  }
}

void Grid::work() {
  try {
    Worker worker(setup_, shadows_.get());
    takeBlocks(worker);
    const std::lock_guard lock(mutex_);
    gather(worker);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error.what();
    requestStop(setup_);
  }
  const std::lock_guard lock(mutex_);
  --running_;
  finished_.notify_all();
}

void Grid::gatherCounters(const Worker& worker) {
  trace::GridCounters& counters = *result_.counters;
  counters.epochsTruncated = counters.epochsTruncated || worker.epochsTruncated();
  if (counters.epochs.size() < worker.epochs().size()) {
    counters.epochs.resize(worker.epochs().size(), countersOf(Counts{}));
  }
  for (size_t i = 0; i < worker.epochs().size(); ++i) {
    const trace::Counters epoch = countersOf(worker.epochs()[i]);
    counters.epochs[i] += epoch;
    counters.total += epoch;
  }
}

void Grid::gatherPrinted(const Worker& worker) {
  result_.printed.insert(result_.printed.end(), worker.printed().begin(), worker.printed().end());
  result_.printedAll = result_.printedAll && worker.printedAll();
}

/// In the order of blocks and warps, whoever ran them, and not too much.
void Grid::finishPrinted() {
  const auto place = [&](const Printed& printed) {
    const Dim3& shape = request_.launch.block;
    const uint64_t thread = numberOf(shape, printed.thread);
    return std::pair(numberOf(request_.launch.grid, printed.block), thread / kLanes);
  };
  std::stable_sort(result_.printed.begin(), result_.printed.end(),
                   [&](const Printed& a, const Printed& b) { return place(a) < place(b); });
  size_t kept = 0;
  for (size_t bytes = 0; kept < result_.printed.size() && kept < kMostPrinted; ++kept) {
    bytes += result_.printed[kept].text.size();
    if (bytes > kMostPrintedBytes) break;
  }
  if (kept < result_.printed.size()) result_.printedAll = false;
  result_.printed.resize(kept);
}

/// Of equal faults the one in the first block is told.
void Grid::gather(const Worker& worker) {
  if (worker.checker() != nullptr) hazards_.merge(worker.checker()->hazards());
  if (result_.counters) gatherCounters(worker);
  gatherPrinted(worker);
  const auto& at = worker.interrupted();
  if (at && (!interrupted_ || numberOf(request_.launch.grid, at->block) <
                                  numberOf(request_.launch.grid, interrupted_->block))) {
    interrupted_ = at;
  }
  for (const Fault& fault : worker.faults()) {
    const auto same =
        std::find_if(result_.faults.begin(), result_.faults.end(),
                     [&](const Fault& f) { return f.kind == fault.kind && f.line == fault.line; });
    if (same == result_.faults.end()) {
      result_.faults.push_back(fault);
      continue;
    }
    const uint64_t count = same->count + fault.count;
    if (numberOf(request_.launch.grid, fault.block) < numberOf(request_.launch.grid, same->block)) {
      *same = fault;
    }
    same->count = count;
  }
}

/// True: cancelled.
bool Grid::wait(const std::function<bool()>& cancelled) {
  const auto end = Clock::now() + std::chrono::duration<double>(request_.timeoutSeconds);
  std::unique_lock lock(mutex_);
  while (running_ != 0) {
    finished_.wait_for(lock, std::chrono::milliseconds(10));
    if (running_ == 0) break;
    if (Clock::now() > end && !timedOut_) {
      timedOut_ = true;
      requestStop(setup_);
    }
    lock.unlock();
    tellProgress();
    const bool ends = cancelled && cancelled();
    lock.lock();
    if (!ends) continue;
    requestStop(setup_);
    finished_.wait(lock, [&] { return running_ == 0; });
    return true;
  }
  return false;
}

void Grid::tellProgress() const {
  if (!request_.progress) return;
  const auto blocks = static_cast<double>(request_.launch.grid.count());
  request_.progress(std::min(1.0, static_cast<double>(setup_.nextBlock.load()) / blocks));
}

void Grid::addTimeout() {
  Fault fault;
  fault.kind = "timeout";
  std::string where;
  if (interrupted_) {
    fault.line = interrupted_->line;
    fault.thread = interrupted_->thread;
    fault.block = interrupted_->block;
    if (fault.line != 0) where = " at line " + std::to_string(fault.line);
    where = "; thread " + toText(fault.thread) + " of block " + toText(fault.block) + " was" +
            (where.empty() ? " still running" : where);
  }
  fault.message =
      "The kernel had not ended after " + toText(request_.timeoutSeconds, Unit::seconds) + where +
      ". Make it smaller, allow more with --timeout, or look for a loop that never ends.";
  result_.faults.push_back(std::move(fault));
}

Result<GridResult> Grid::run(const std::function<bool()>& cancelled) {
  if (request_.counters) {
    result_.counters.emplace();
    result_.counters->total = countersOf(Counts{});
  }
  if (request_.trace) {
    trace::Recording& recording = result_.trace.emplace(request_.trace->capBytes);
    recording.block = request_.trace->block;
    recording.blockShape = request_.launch.block;
    recording.device = "simt";
    recording.sharedArrays = setup_.sharedArrays;
    recording.accumulators = setup_.program.accumulators;
    recording.feeds = ptx::feeds(*setup_.program.entry);
  }
  if (request_.check) shadows_ = std::make_unique<GlobalShadows>(setup_);
  const unsigned count = threadCount();
  running_ = count;
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    for (unsigned i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    running_ -= count - static_cast<unsigned>(threads.size());
    if (threads.empty()) failure_ = error.what();
  }
  const bool ended = wait(cancelled);
  for (std::thread& thread : threads) thread.join();
  if (!failure_.empty()) return workError("The interpreter could not run: " + failure_ + ".");
  if (ended) return workError("Cancelled.");
  if (timedOut_) addTimeout();
  finishPrinted();
  if (result_.trace) result_.trace->finish();
  result_.hazards = hazards_.list(setup_);
  result_.sharedBytes = setup_.sharedBytes;
  result_.localBytes = setup_.program.localBytes;
  return std::move(result_);
}

}  // namespace

Result<GridResult> runGrid(const GridRequest& request, const std::function<bool()>& cancelled) {
  Setup setup;
  if (Status ready = prepare(request, setup); !ready) return ready.error();
  return runPrepared(request, setup, cancelled);
}

Result<GridResult> runPrepared(const GridRequest& request, Setup& setup,
                               const std::function<bool()>& cancelled) {
  if (!setup.program.refused.empty()) {
    GridResult refused;
    refused.faults = setup.program.refused;
    refused.sharedBytes = setup.sharedBytes;
    return refused;
  }
  const Dim3& grid = request.launch.grid;
  if (request.trace) {
    const Dim3& block = request.trace->block;
    if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
      return requestError("There is no block " + toText(block) + " to trace: the grid is " +
                          std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                          std::to_string(grid.z) + " blocks.");
    }
  }
  if (request.variables == nullptr) return Grid(request, setup).run(cancelled);
  std::vector<std::vector<uint8_t>>& kept = *request.variables;
  for (size_t i = 0; i < std::min(kept.size(), setup.variables.size()); ++i) {
    std::copy_n(kept[i].begin(), std::min(kept[i].size(), setup.variables[i].size()),
                setup.variables[i].begin());
  }
  Result<GridResult> result = Grid(request, setup).run(cancelled);
  kept = std::move(setup.variables);
  return result;
}

}  // namespace tilestep::simt
