// SPDX-License-Identifier: Apache-2.0
#include "simt/grid.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>

#include "base/figure.h"
#include "base/hash.h"
#include "ptx/analysis/feeds.h"
#include "simt/run/memory_need.h"
#include "simt/run/residency.h"
#include "simt/run/tracer.h"

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

/// Permutes 0..count-1: x -> a x + b modulo count, where a and count have no common factor.
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
  out.branches = counts.branches;
  out.divergentBranches = counts.divergentBranches;
  return out;
}

constexpr const char* kNoMemory = "there is not enough memory; make the sizes or blocks smaller";

/// Values of Grid::inVainAt_ before the thread has found all its blocks waiting, and after it ends.
constexpr uint64_t kBusy = ~uint64_t{0}, kGone = kBusy - 1;

Error waitsForOthers(const Dim3& block) {
  return requestError("Block " + toText(block) +
                      " waits for other blocks, so it cannot be run alone: choose sizes small "
                      "enough for the whole grid.");
}

class Grid {
 public:
  Grid(const GridRequest& request, Setup& setup)
      : request_(request),
        setup_(setup),
        order_(request.order < kFewResident ? request.order : 0,
               std::max<uint64_t>(1, request.launch.grid.count())),
        residency_(residencyFor(request, setup)),
        mostUnderWay_(mostUnderWay(request, setup)) {}

  Result<GridResult> run(const std::function<bool()>& cancelled);

 private:
  void work(unsigned self);
  void takeBlocks(Worker& worker, unsigned self);
  void takeAll(Worker& worker, unsigned self);
  void runBlock(Worker& worker, unsigned self, uint64_t number);
  bool admit(Worker& worker, unsigned self);
  bool giveTurns(Worker& worker);
  void takeTurns(Worker& worker, unsigned self);
  [[nodiscard]] bool isDeadlock(unsigned self, uint64_t moves);
  void addDeadlock(Worker& worker);
  void gather(Worker& worker);
  void gatherCounters(const Worker& worker);
  void gatherPrinted(const Worker& worker);
  void gatherUse(const Worker& worker);
  void finishPrinted();
  bool wait(const std::function<bool()>& cancelled);
  void tellProgress() const;
  void addTimeout();

  const GridRequest& request_;
  Setup& setup_;
  Order order_;
  Residency residency_;
  uint64_t mostUnderWay_;
  std::unique_ptr<Tracer> tracer_;
  std::atomic<uint64_t> moves_{0};    ///< Counts the progress of blocks that may be suspended.
  std::atomic<uint64_t> started_{0};  ///< Begun blocks, if blocks may be suspended.
  std::atomic<uint64_t> ended_{0};    ///< Ended blocks, if no block is suspended.
  std::mutex mutex_;                  ///< Guards the members below.
  std::vector<uint64_t>
      inVainAt_;  ///< By host thread: moves_ when all its blocks were last found waiting.
  std::condition_variable finished_;
  unsigned running_ = 0;
  GridResult result_;
  HazardTable hazards_;
  std::unique_ptr<GlobalShadows> shadows_;
  std::string failure_;
  bool timedOut_ = false;
  bool waitedAlone_ = false;          ///< The only block to run waits for others.
  std::optional<Fault> interrupted_;  ///< Position of the lowest unfinished block.
};

void Grid::runBlock(Worker& worker, unsigned self, uint64_t number) {
  if (setup_.putsAside() && !admit(worker, self)) return;
  const Dim3 block = blockAt(request_.launch.grid, number);
  BlockObserver* observer = nullptr;
  if (request_.trace && request_.trace->block == block) {
    observer = (tracer_ = std::make_unique<Tracer>(setup_, *result_.trace)).get();
  }
  const Worker::Turn turn = worker.runBlock(block, observer);
  if (worker.broken()) requestStop(setup_);
  if (!setup_.putsAside()) return;
  ++moves_;
  if (turn != Worker::Turn::ended) return worker.putAside();
  --setup_.resident;
}

/// Waits until one more block may begin. Returns false if the launch stops first.
bool Grid::admit(Worker& worker, unsigned self) {
  // Suspended blocks run meanwhile. If there are many of them, most wait for other blocks, so
  // giving them turns would be in vain.
  const uint64_t few = setup_.mostInterleaved;
  if (setup_.interleaves && setup_.resident >= few && worker.aside() <= few) giveTurns(worker);
  while (!stopRequested(setup_)) {
    if (setup_.resident.fetch_add(1) < mostUnderWay_) {
      ++started_;
      ++moves_;
      return true;
    }
    --setup_.resident;
    takeTurns(worker, self);
  }
  return false;
}

/// Returns true if some block did more than wait.
bool Grid::giveTurns(Worker& worker) {
  const bool moved = worker.takeTurns();
  if (worker.broken()) requestStop(setup_);
  if (moved) ++moves_;
  return moved;
}

void Grid::takeTurns(Worker& worker, unsigned self) {
  const uint64_t before = moves_;
  if (giveTurns(worker)) return;
  if (setup_.mayWait && isDeadlock(self, before)) {
    if (request_.othersMayWrite && request_.othersMayWrite())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    else
      addDeadlock(worker);
  } else {
    std::this_thread::yield();
  }
}

/// Returns true if every host thread has found all of its blocks waiting since the latest move.
bool Grid::isDeadlock(unsigned self, uint64_t moves) {
  const std::lock_guard lock(mutex_);
  inVainAt_[self] = moves;
  return moves == moves_ && std::all_of(inVainAt_.begin(), inVainAt_.end(),
                                        [&](uint64_t at) { return at == moves || at == kGone; });
}

void Grid::addDeadlock(Worker& worker) {
  const std::lock_guard lock(mutex_);
  if (stopRequested(setup_)) return;
  requestStop(setup_);
  Fault fault = worker.placeOfWaiting().value_or(Fault{});
  fault.kind = "deadlock";
  fault.message = "Deadlock: each block that has not ended waits for a value that no thread writes";
  if (started_ < request_.launch.grid.count()) {
    fault.message = tooManyBlocks(request_.launch, residency_) +
                    ": these wait for blocks that cannot begin. Make the grid smaller, or let each "
                    "block do the work of several";
  }
  fault.message += " (thread " + toText(fault.thread) + " of block " + toText(fault.block) +
                   (fault.line == 0 ? ")." : ", line " + std::to_string(fault.line) + ").");
  result_.faults.push_back(std::move(fault));
}

void Grid::takeAll(Worker& worker, unsigned self) {
  const uint64_t blocks = request_.launch.grid.count();
  // Chunks are so small that all host threads end at about the same time.
  const uint64_t chunk =
      std::clamp<uint64_t>(blocks / (uint64_t{threadsFor(request_)} * 64), 1, 64);
  const bool alone = request_.trace && request_.trace->onlyThisBlock;
  while (!stopRequested(setup_)) {
    const uint64_t first = setup_.nextBlock.fetch_add(chunk);
    if (first >= blocks) return;
    for (uint64_t i = first; i < std::min(first + chunk, blocks); ++i) {
      if (stopRequested(setup_)) return;
      const uint64_t number = order_(i);
      if (alone && number == numberOf(request_.launch.grid, request_.trace->block)) continue;
      runBlock(worker, self, number);
    }
    if (!setup_.putsAside()) ended_ += std::min(chunk, blocks - first);
  }
}

void Grid::takeBlocks(Worker& worker, unsigned self) {
  if (request_.trace && request_.trace->onlyThisBlock) {
    runBlock(worker, self, numberOf(request_.launch.grid, request_.trace->block));
    if (worker.aside() == 0) return;
    if (request_.trace->alone) {
      waitedAlone_ = true;
      return requestStop(setup_);
    }
  }
  takeAll(worker, self);
  while (worker.aside() != 0 && !stopRequested(setup_)) takeTurns(worker, self);
}

void Grid::work(unsigned self) {
  try {
    Worker worker(setup_, shadows_.get());
    takeBlocks(worker, self);
    const std::lock_guard lock(mutex_);
    gather(worker);
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    failure_ = kNoMemory;
    requestStop(setup_);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error.what();
    requestStop(setup_);
  }
  const std::lock_guard lock(mutex_);
  inVainAt_[self] = kGone;
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
  const Program& program = setup_.program;
  for (size_t block = 0; block < worker.branched().size(); ++block) {
    const uint8_t branched = worker.branched()[block];
    if (branched == 0) continue;
    const uint32_t line = program.instruction(program.blocks[block].source).ptxLine;
    result_.branches.reached.insert(line);
    if ((branched & kParted) != 0) result_.branches.parted.insert(line);
  }
}

void Grid::gatherPrinted(const Worker& worker) {
  result_.printed.insert(result_.printed.end(), worker.printed().begin(), worker.printed().end());
  result_.printedAll = result_.printedAll && worker.printedAll();
}

void Grid::gatherUse(const Worker& worker) {
  const SharedUse& shared = worker.sharedUse();
  result_.sharedUse.reads += shared.reads;
  result_.sharedUse.writes += shared.writes;
  result_.sharedUse.passes = result_.sharedUse.passes || shared.passes;
  for (size_t i = 0; i < worker.requests().size(); ++i) {
    const RequestUse& use = worker.requests()[i];
    const CheckSite& site = setup_.program.sites[i];
    if (use.requests == 0 || site.atomic) continue;
    const LineRequests wanted{setup_.program.lineOf(site.source), site.writes, site.access.bytes,
                              use};
    const auto same = std::ranges::find_if(result_.requests, [&](const LineRequests& each) {
      return each.line == wanted.line && each.isStore == wanted.isStore &&
             each.elementBytes == wanted.elementBytes && each.use.isShared == use.isShared &&
             each.use.region == use.region;
    });
    if (same == result_.requests.end()) {
      result_.requests.push_back(wanted);
      continue;
    }
    same->use.requests += use.requests;
    same->use.units += use.units;
    same->use.fewest += use.fewest;
  }
}

/// Sorts the output by block and warp, and cuts it at the limits.
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

/// If several faults have the same kind and line, the one in the lowest block is kept.
void Grid::gather(Worker& worker) {
  worker.addHazards(hazards_);
  gatherUse(worker);
  if (result_.counters) gatherCounters(worker);
  gatherPrinted(worker);
  const auto at = worker.interrupted() ? worker.interrupted() : worker.placeOfWaiting();
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

/// Returns true if the launch was cancelled.
bool Grid::wait(const std::function<bool()>& cancelled) {
  const auto end =
      Clock::now() + std::chrono::duration<double>(request_.timeoutSeconds - request_.spentSeconds);
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
  const uint64_t ended = setup_.putsAside() ? started_ - setup_.resident : ended_.load();
  request_.progress(std::min(1.0, static_cast<double>(ended) / blocks));
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
  const double before = request_.spentSeconds;
  const std::string spent =
      before < request_.timeoutSeconds / 10
          ? ""
          : " (" + toText(before, Unit::seconds) + " of that before it began)";
  fault.message =
      "The kernel had not ended after " + toText(request_.timeoutSeconds, Unit::seconds) + spent +
      where + ". Make it smaller, allow more with --timeout, or look for a loop that never ends.";
  result_.faults.push_back(std::move(fault));
}

Result<GridResult> Grid::run(const std::function<bool()>& cancelled) {
  if (request_.counters) {
    result_.counters.emplace();
    result_.counters->total = countersOf(Counts{});
  }
  if (request_.trace) {
    trace::BlockTrace& recording = result_.trace.emplace(request_.trace->capBytes);
    recording.block = request_.trace->block;
    recording.blockShape = request_.launch.block;
    recording.device = "simt";
    recording.sharedArrays = setup_.sharedArrays;
    recording.accumulators = setup_.program.accumulators;
    recording.sumStores = setup_.program.sumStores;
    recording.feeds = ptx::feeds(*setup_.program.entry);
  }
  if (request_.check) shadows_ = std::make_unique<GlobalShadows>(setup_);
  setup_.mostInterleaved = mostInterleaved(request_);
  const unsigned count = threadsFor(request_);
  running_ = count;
  inVainAt_.assign(count, kBusy);
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    for (unsigned i = 0; i < count; ++i) threads.emplace_back([this, i] { work(i); });
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    running_ -= count - static_cast<unsigned>(threads.size());
    std::fill(inVainAt_.begin() + static_cast<ptrdiff_t>(threads.size()), inVainAt_.end(), kGone);
    if (threads.empty()) failure_ = error.what();
  }
  const bool ended = wait(cancelled);
  for (std::thread& thread : threads) thread.join();
  if (!failure_.empty()) return workError("The interpreter could not run: " + failure_ + ".");
  if (ended) return workError("Cancelled.");
  if (waitedAlone_) return waitsForOthers(request_.trace->block);
  if (timedOut_) addTimeout();
  finishPrinted();
  if (result_.trace) result_.trace->finish();
  result_.hazards = hazards_.list(setup_);
  result_.equalWriteLines = hazards_.equalWriteLines(setup_);
  std::ranges::sort(result_.requests, {}, &LineRequests::line);
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
  if (const Residency most = residencyFor(request, setup);
      request.launch.cooperative && grid.count() > most.blocks) {
    return requestError(tooManyBlocks(request.launch, most) +
                        ", but a cooperative launch needs them all; make the grid smaller.");
  }
  allocateVariables(setup, request.variables);
  Result<GridResult> result = Grid(request, setup).run(cancelled);
  if (request.variables == nullptr) return result;
  request.variables->clear();
  for (OwnVariable& variable : setup.variables)
    request.variables->push_back(std::move(variable.bytes));
  return result;
}

}  // namespace tilestep::simt
