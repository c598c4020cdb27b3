// SPDX-License-Identifier: Apache-2.0
#include "simt/worker.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "base/hash.h"
#include "simt/emitter.h"
#include "simt/fault_text.h"
#include "simt/special_rows.h"

namespace tilestep::simt {
namespace {

constexpr std::align_val_t kAlignment{64};
/// A block that goes on and on doing wrong is ended early.
constexpr uint64_t kMaxAccessFaults = 1 << 20;

void fillRow(uint8_t* row, bool wide, uint64_t bits) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    std::memcpy(row + lane * (wide ? 8 : 4), &bits, wide ? 8 : 4);
  }
}

uint64_t parameterBits(const Program::ParameterRow& row, const std::vector<uint8_t>& block) {
  const unsigned bytes = bytesOf(row.type);
  uint64_t bits = 0;
  if (size_t{row.offset} + bytes <= block.size()) std::memcpy(&bits, &block[row.offset], bytes);
  const bool isSigned = row.type == Lane::s8 || row.type == Lane::s16 || row.type == Lane::s32;
  if (!isSigned) return bits;
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
}

const char* nameOf(AccessFault kind) {
  switch (kind) {
    case AccessFault::misaligned:
      return "misaligned";
    case AccessFault::uninitialised:
      return "uninitialised-read";
    default:
      return "out-of-bounds";
  }
}

uint32_t lanesOf(uint64_t threads, uint32_t warp) {
  const uint64_t left = threads - uint64_t{warp} * kLanes;
  return left >= kLanes ? 0xffffffffu : (1u << left) - 1;
}

}  // namespace

void Worker::FreeAligned::operator()(uint8_t* memory) const {
  ::operator delete(memory, kAlignment);
}

Worker::Memory Worker::allocate(size_t bytes) {
  auto* memory = static_cast<uint8_t*>(::operator new(std::max<size_t>(bytes, 64), kAlignment));
  std::memset(memory, 0, std::max<size_t>(bytes, 64));
  return Memory(memory);
}

Worker::Worker(Setup& setup, const GlobalShadows* shadows)
    : setup_(setup),
      warps_(static_cast<uint32_t>(ceilDiv(setup.request->launch.block.count(), kLanes))),
      registers_(allocate(size_t{warps_} * setup.program.registerBytes)),
      shared_(allocate(setup.sharedBytes)),
      local_(allocate(size_t{warps_} * kLanes * setup.program.localBytes)),
      memos_(new Memo[setup.program.memos + 1]()),
      warp_(warps_),
      state_(warps_),
      turns_(warps_),
      context_(new Context{}) {
  const Program& program = setup.program;
  Context& context = *context_;
  context.blocks = program.blocks.data();
  context.memos = memos_.get();
  context.regions = setup.regions.data();
  context.regionCount = static_cast<uint32_t>(setup.regions.size());
  context.shared = {0, setup.sharedBytes, shared_.get(), nullptr, true, false};
  context.param = {0,    setup.parameterBlock.size(), setup.parameterBlock.data(), nullptr, false,
                   false};
  context.localBytes = program.localBytes;
  context.stop = &setup.stop;
  context.alone = setup.request->threads <= 1 || setup.request->launch.grid.count() == 1;
  context.fault = onFault;
  context.before = onBefore;
  context.after = onAfter;
  context.owner = this;
  if (shadows != nullptr) {
    checker_ = std::make_unique<BlockChecker>(setup, *shadows, warps_);
    context.check = checker_->state();
    context.check->conflict = onConflict;
  }
  for (uint32_t i = 0; i < warps_; ++i) {
    warp_[i].registers = registers_.get() + size_t{i} * program.registerBytes;
    warp_[i].index = i;
    fillRows(warp_[i].registers, i);
  }
}

void Worker::fillRows(uint8_t* registers, uint32_t warp) const {
  const Program& program = setup_.program;
  for (const auto& row : program.constants) fillRow(registers + row.row, row.wide, row.bits);
  for (const auto& row : program.parameters) {
    fillRow(registers + row.row, row.wide, parameterBits(row, setup_.parameterBlock));
  }
  const BlockPlace place{setup_.request->launch, setup_.sharedBytes, Dim3{0, 0, 0}, warp};
  for (const auto& row : program.specials) fillSpecialRow(registers + row.row, row.name, place);
}

void Worker::startBlock(Dim3 block, BlockObserver* observer) {
  const Program& program = setup_.program;
  const uint64_t threads = setup_.request->launch.block.count();
  block_ = block;
  observer_ = observer;
  context_->code[0] = (observer ? program.observedAll : program.all).data();
  context_->code[1] = (observer ? program.observedSome : program.some).data();
  if (checker_) checker_->startBlock(block);
  std::memset(shared_.get(), 0, setup_.sharedBytes);
  std::memset(local_.get(), 0, size_t{warps_} * kLanes * program.localBytes);
  std::iota(turns_.begin(), turns_.end(), 0u);
  if (const uint64_t order = setup_.request->order) {
    for (uint32_t i = warps_; i > 1; --i) {
      std::swap(turns_[i - 1], turns_[splitmix64(order + i + block.x * 7919ull) % i]);
    }
  }
  for (uint32_t i = 0; i < warps_; ++i) {
    setup_.engine->start(warp_[i], lanesOf(threads, i));
    state_[i] = State::ready;
    for (const auto& [offset, bytes] : program.zeroed) {
      std::memset(warp_[i].registers + offset, 0, bytes);
    }
    const BlockPlace place{setup_.request->launch, setup_.sharedBytes, block, i};
    for (const auto& row : program.specials) {
      if (changesByBlock(row.name)) {
        fillSpecialRow(warp_[i].registers + row.row, row.name, place);
      }
    }
  }
}

void Worker::runBlock(Dim3 block, BlockObserver* observer) {
  startBlock(block, observer);
  while (!stopRequested(setup_)) {
    bool ran = false;
    for (const uint32_t warp : turns_) {
      if (state_[warp] != State::ready) continue;
      runWarp(warp);
      ran = true;
    }
    const bool released = releaseBarriers();
    if (ran || released) continue;
    const bool waits = std::count(state_.begin(), state_.end(), State::waiting) != 0;
    if (waits) stuck();
    break;
  }
}

Counts* Worker::countsOf(uint32_t epoch) {
  if (!setup_.request->counters) return nullptr;
  constexpr size_t kMax = trace::GridCounters::kMaxEpochs;
  if (epoch >= kMax) epochsTruncated_ = true;
  const size_t index = std::min<size_t>(epoch, kMax - 1);
  while (epochs_.size() <= index) epochs_.emplace_back();
  return &epochs_[index];
}

void Worker::runWarp(uint32_t warp) {
  Warp& w = warp_[warp];
  context_->warp = &w;
  context_->local = local_.get() + size_t{warp} * kLanes * setup_.program.localBytes;
  context_->counts = countsOf(w.epoch);
  if (checker_) checker_->enter(warp);
  const Pause pause = setup_.engine->run(*context_);
  if (checker_) checker_->leave();
  switch (pause) {
    case Pause::finished:
      state_[warp] = State::done;
      break;
    case Pause::quantum:
      break;
    case Pause::barrier:
      state_[warp] = State::waiting;
      if (observer_) observer_->barrier(w, w.barrierSource);
      break;
    case Pause::divergentBarrier: {
      state_[warp] = State::done;
      const uint32_t arrived = w.paths.entries[w.paths.depth - 1].mask;
      addBarrierFault(w, static_cast<uint32_t>(__builtin_ctz(w.live & ~arrived)),
                      "A barrier lies in divergent code: not all threads of the warp reach it");
      break;
    }
  }
}

/// With a count: that many threads have arrived. Without: all warps that have not exited.
bool Worker::isComplete(uint32_t warp) const {
  const Warp& first = warp_[warp];
  uint32_t arrived = 0;
  bool all = true;
  for (uint32_t i = 0; i < warps_; ++i) {
    const bool here = state_[i] == State::waiting && warp_[i].barrier == first.barrier;
    if (here)
      arrived += kLanes;
    else if (state_[i] != State::done)
      all = false;
  }
  return first.barrierThreads == 0 ? all : arrived >= first.barrierThreads;
}

/// Lets all go that wait where `first` waits.
void Worker::release(uint32_t first) {
  const uint32_t barrier = warp_[first].barrier;
  for (uint32_t k = first; k < warps_; ++k) {
    if (state_[k] != State::waiting || warp_[k].barrier != barrier) continue;
    state_[k] = State::ready;
    ++warp_[k].epoch;
    if (checker_) released_.push_back(k);
  }
  if (!checker_) return;
  const auto done = std::count(state_.begin(), state_.end(), State::done);
  checker_->passed(released_, released_.size() + static_cast<size_t>(done) == warps_);
  released_.clear();
}

bool Worker::releaseBarriers() {
  bool released = false;
  for (uint32_t i = 0; i < warps_; ++i) {
    if (state_[i] != State::waiting || !isComplete(i)) continue;
    release(i);
    released = true;
  }
  if (released && observer_) {
    uint32_t epoch = 0;
    bool seen = false;
    for (uint32_t i = 0; i < warps_; ++i) {
      if (state_[i] == State::done) continue;
      if (seen && warp_[i].epoch != epoch) observer_->uneven();
      epoch = warp_[i].epoch;
      seen = true;
    }
  }
  return released;
}

void Worker::stuck() {
  for (uint32_t i = 0; i < warps_; ++i) {
    if (state_[i] != State::waiting) continue;
    addBarrierFault(warp_[i], static_cast<uint32_t>(__builtin_ctz(warp_[i].live)),
                    "Deadlock: the warp waits at a barrier that the others never reach");
  }
}

void Worker::addBarrierFault(const Warp& warp, uint32_t lane, const std::string& message) {
  const auto& instruction = setup_.program.entry->body[warp.barrierSource];
  Fault fault;
  fault.kind = "deadlock";
  fault.line = instruction.outerLine.line;
  fault.thread = threadAt(setup_.request->launch.block, warp.index * kLanes + lane);
  fault.block = block_;
  fault.message = message + " (thread " + toText(fault.thread) + " of block " + toText(block_) +
                  (fault.line == 0 ? ")." : ", line " + std::to_string(fault.line) + ").");
  broken_ = true;
  simt::addFault(faults_, std::move(fault));
  requestStop(setup_);
}

void Worker::addFault(const Instr& instr, uint32_t lane, AccessFault kind, uint64_t address) {
  const uint32_t line = lineOf(*setup_.program.entry, instr.source);
  const char* name = nameOf(kind);
  if (++accessFaults_ > kMaxAccessFaults) requestStop(setup_);
  for (Fault& known : faults_) {
    if (known.line != line || known.kind != name) continue;
    ++known.count;
    return;
  }
  Fault fault;
  fault.kind = name;
  fault.line = line;
  fault.thread = threadAt(setup_.request->launch.block, context_->warp->index * kLanes + lane);
  fault.block = block_;
  fault.address = address;
  fault.message = describeAccess(setup_, instr, kind, address) + " (thread " +
                  toText(fault.thread) + " of block " + toText(block_) +
                  (fault.line == 0 ? ")." : ", line " + std::to_string(fault.line) + ").");
  // What reads garbage still runs on; what leaves its memory does not.
  broken_ = broken_ || kind != AccessFault::uninitialised;
  simt::addFault(faults_, std::move(fault));
}

void Worker::onFault(Context& context, const Instr& instr, uint32_t lane, AccessFault kind,
                     uint64_t address) {
  static_cast<Worker*>(context.owner)->addFault(instr, lane, kind, address);
}
void Worker::onConflict(Context& context, const Instr& instr, const Conflict& conflict) {
  static_cast<Worker*>(context.owner)->checker_->conflict(context, instr, conflict);
}
void Worker::onBefore(Context& context, const Instr& instr) {
  static_cast<Worker*>(context.owner)->observer_->before(context, instr);
}
void Worker::onAfter(Context& context, const Instr& instr) {
  static_cast<Worker*>(context.owner)->observer_->after(context, instr);
}

}  // namespace tilestep::simt
