// SPDX-License-Identifier: Apache-2.0
#include "simt/worker.h"

#include <algorithm>
#include <cstdlib>
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
    case AccessFault::unset:
      return "uninitialised-read";
    case AccessFault::outsideRow:
      return "outside-row";
    default:
      return "out-of-bounds";
  }
}

size_t pathsOf(const Program& program) {
  return 2 * size_t{kMostSplits} + program.mostCalls;
}

}  // namespace

void Worker::FreeAligned::operator()(uint8_t* memory) const {
  ::operator delete(memory, kAlignment);
}

void Worker::Free::operator()(uint8_t* memory) const {
  std::free(memory);
}

Worker::Memory Worker::allocate(size_t bytes) {
  auto* memory = static_cast<uint8_t*>(::operator new(std::max<size_t>(bytes, 64), kAlignment));
  std::memset(memory, 0, std::max<size_t>(bytes, 64));
  return Memory(memory);
}

Worker::Worker(Setup& setup, GlobalShadows* shadows)
    : setup_(setup),
      warps_(static_cast<uint32_t>(ceilDiv(setup.request->launch.block.count(), kLanes))),
      registers_(allocate(size_t{warps_} * setup.program.registerBytes)),
      shared_(allocate(setup.sharedBytes)),
      local_(static_cast<uint8_t*>(
          std::calloc(size_t{warps_} * kLanes + 1, setup.program.bytesOfThread() + 1))),
      paths_(new Path[warps_ * pathsOf(setup.program)]),
      memos_(new Memo[setup.program.memos + 1]()),
      warp_(warps_),
      state_(warps_),
      turns_(warps_),
      context_(new Context{}) {
  if (local_ == nullptr) throw std::bad_alloc();
  const Program& program = setup.program;
  Context& context = *context_;
  context.targets = program.targets.data();
  context.functions = program.addressed.data();
  context.functionCount = static_cast<uint32_t>(program.addressed.size());
  context.blocks = program.blocks.data();
  context.memos = memos_.get();
  context.regions = setup.regions.data();
  context.regionCount = static_cast<uint32_t>(setup.regions.size());
  context.shared = {0, setup.sharedBytes, shared_.get(), nullptr, true, false};
  context.param = {0,    setup.parameterBlock.size(), setup.parameterBlock.data(), nullptr, false,
                   false};
  context.localBytes = program.bytesOfThread();
  context.stop = &setup.stop;
  context.alone = setup.request->threads <= 1 || setup.request->launch.grid.count() == 1;
  context.fault = onFault;
  context.before = onBefore;
  context.after = onAfter;
  context.owner = this;
  if (shadows != nullptr) {
    checker_ = std::make_unique<BlockChecker>(setup, *shadows, warps_);
    context.check = checker_->state();
    watch();
  }
  for (uint32_t i = 0; i < warps_; ++i) {
    warp_[i].registers = registers_.get() + size_t{i} * program.registerBytes;
    warp_[i].index = i;
    warp_[i].paths.paths = paths_.get() + i * pathsOf(program);
    warp_[i].paths.capacity = static_cast<uint32_t>(pathsOf(program));
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
  block_ = block;
  observer_ = observer;
  context_->code[0] = (observer ? program.observedAll : program.all).data();
  context_->code[1] = (observer ? program.observedSome : program.some).data();
  if (checker_) checker_->startBlock(block);
  context_->met = observer || checker_ ? onMet : nullptr;
  std::memset(shared_.get(), 0, setup_.sharedBytes);
  for (size_t lane = 0; program.localBytes != 0 && lane < size_t{warps_} * kLanes; ++lane) {
    std::memset(local_.get() + lane * context_->localBytes, 0, program.localBytes);
  }
  std::iota(turns_.begin(), turns_.end(), 0u);
  if (const uint64_t order = setup_.request->order) {
    random_ = splitmix64(
        order ^ splitmix64(block.x + (uint64_t{block.y} << 24) + (uint64_t{block.z} << 48)));
    for (uint32_t i = warps_; i > 1; --i) {
      random_ = splitmix64(random_);
      std::swap(turns_[i - 1], turns_[random_ % i]);
    }
  }
  arrivals_ = {};
  copies_.reset(warps_);
  for (uint32_t i = 0; i < warps_; ++i) startWarp(i);
}

uint32_t Worker::lanesOf(uint32_t warp) const {
  const uint64_t left = setup_.request->launch.block.count() - uint64_t{warp} * kLanes;
  return left >= kLanes ? 0xffffffffu : (1u << left) - 1;
}

void Worker::startWarp(uint32_t warp) {
  const Program& program = setup_.program;
  Warp& w = warp_[warp];
  setup_.engine->start(w, lanesOf(warp));
  state_[warp] = State::ready;
  for (const auto& [offset, bytes] : program.zeroed) std::memset(w.registers + offset, 0, bytes);
  if (program.stackRow != kNoRow) fillRow(w.registers + program.stackRow, true, program.localBytes);
  const BlockPlace place{setup_.request->launch, setup_.sharedBytes, block_, warp};
  for (const auto& row : program.specials) {
    if (changesByBlock(row.name)) fillSpecialRow(w.registers + row.row, row.name, place);
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
    return;
  }
  noteInterrupted();
}

Counts* Worker::countsOf(uint32_t epoch) {
  if (!setup_.request->counters) return nullptr;
  constexpr size_t kMax = trace::GridCounters::kMaxEpochs;
  if (epoch >= kMax) epochsTruncated_ = true;
  const size_t index = std::min<size_t>(epoch, kMax - 1);
  while (epochs_.size() <= index) epochs_.emplace_back();
  return &epochs_[index];
}

/// In another order warps also take turns at other places.
uint32_t Worker::nextQuantum() {
  if (setup_.request->order == 0) return kQuantum;
  random_ = splitmix64(random_);
  return 1 + static_cast<uint32_t>(random_ % 64);
}

void Worker::runWarp(uint32_t warp) {
  Warp& w = warp_[warp];
  context_->warp = &w;
  context_->local = local_.get() + size_t{warp} * kLanes * context_->localBytes;
  context_->counts = countsOf(w.epoch);
  context_->quantum = nextQuantum();
  if (checker_) checker_->enter(warp);
  Pause pause = Pause::arrived;
  while ((pause = setup_.engine->run(*context_)) == Pause::arrived) {
    arrive(w);
    if (checker_) checker_->arrived(w.barrier % kBarriers);
  }
  if (checker_) checker_->leave();
  if (pause == Pause::quantum) return;
  state_[warp] = pause == Pause::finished ? State::done : State::waiting;
  if (pause != Pause::tooDeep && pause != Pause::noFunction) return;
  const Path& path = w.paths.paths[w.paths.current];
  const auto lane = static_cast<uint32_t>(__builtin_ctz(path.mask));
  const uint32_t source = setup_.program.blocks[path.block].source;
  if (pause == Pause::tooDeep) {
    fail("stack-overflow", source, lane, "Too many calls are under way at a time");
  } else {
    fail("out-of-bounds", source, lane, "A call of an address at which there is no function");
  }
}

std::string Worker::placeText(const Fault& fault) const {
  return " (thread " + toText(fault.thread) + " of block " + toText(fault.block) +
         (fault.line == 0 ? ")." : ", line " + std::to_string(fault.line) + ").");
}

void Worker::fail(const char* kind, uint32_t source, uint32_t lane, const std::string& message) {
  Fault fault;
  fault.kind = kind;
  fault.line = setup_.program.lineOf(source);
  fault.thread = threadAt(setup_.request->launch.block, context_->warp->index * kLanes + lane);
  fault.block = block_;
  fault.message = message + placeText(fault);
  broken_ = true;
  simt::addFault(faults_, std::move(fault));
  requestStop(setup_);
}

bool Worker::prints() {
  const bool room = printed_.size() < kMostPrinted && printedBytes_ < kMostPrintedBytes;
  printedAll_ = printedAll_ && room;
  return room;
}

void Worker::print(uint32_t source, uint32_t lane, std::string text) {
  if (!prints()) return;
  printedBytes_ += text.size();
  printed_.push_back({block_,
                      threadAt(setup_.request->launch.block, context_->warp->index * kLanes + lane),
                      setup_.program.lineOf(source), std::move(text)});
}

const uint8_t* Worker::globalAt(uint64_t address, uint64_t bytes) const {
  const uint64_t index = (address - kGlobalStart) >> kGlobalStride;
  if (address < kGlobalStart || index >= setup_.regions.size()) return nullptr;
  const Region& region = setup_.regions[index];
  const uint64_t offset = address - region.start;
  const bool inside = offset <= region.bytes && region.bytes - offset >= bytes;
  return inside ? region.host + offset : nullptr;
}

std::span<const uint8_t> Worker::memoryAt(uint32_t lane, uint64_t address) const {
  const Context& context = *context_;
  const auto rest = [&](uint64_t start, const uint8_t* host, uint64_t bytes) {
    const uint64_t offset = address - start;
    const bool inside = address >= start && offset < bytes;
    return inside ? std::span(host + offset, bytes - offset) : std::span<const uint8_t>();
  };
  if (address >= kGlobalStart) {
    const uint64_t index = (address - kGlobalStart) >> kGlobalStride;
    if (index >= setup_.regions.size()) return {};
    const Region& region = setup_.regions[index];
    return rest(region.start, region.host, region.bytes);
  }
  const auto local =
      rest(kLocalWindow, context.local + lane * context.localBytes, context.localBytes);
  return local.empty() ? rest(kSharedWindow, context.shared.host, context.shared.bytes) : local;
}

bool Worker::read(uint32_t lane, uint64_t address, void* to, size_t bytes) const {
  const auto from = memoryAt(lane, address);
  if (from.size() < bytes) return false;
  std::memcpy(to, from.data(), bytes);
  return true;
}

std::optional<std::string> Worker::textAt(uint32_t lane, uint64_t address, size_t most) const {
  const auto from = memoryAt(lane, address);
  const size_t size = std::min(from.size(), most);
  const auto* begin = reinterpret_cast<const char*>(from.data());
  const void* end = size == 0 ? nullptr : std::memchr(begin, 0, size);
  if (end != nullptr) return std::string(begin, static_cast<const char*>(end));
  if (size < most) return std::nullopt;
  return std::string(begin, size);
}

void Worker::addFault(const Instr& instr, uint32_t lane, AccessFault kind, uint64_t address) {
  const uint32_t line = setup_.program.lineOf(instr.source);
  const char* name = nameOf(kind);
  // A loop that waits for what nobody writes runs into its time limit, which says more.
  const bool goesOn = kind == AccessFault::uninitialised || kind == AccessFault::unset;
  if (!goesOn && ++accessFaults_ > kMaxAccessFaults) requestStop(setup_);
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
  fault.message =
      (kind == AccessFault::outsideRow ? describeColumn(setup_, *context_, instr, lane, address)
                                       : describeAccess(setup_, instr, kind, address)) +
      placeText(fault);
  // What stays in its memory still runs on, whatever it finds there.
  broken_ = broken_ || (!goesOn && kind != AccessFault::outsideRow);
  simt::addFault(faults_, std::move(fault));
}

void Worker::onFault(Context& context, const Instr& instr, uint32_t lane, AccessFault kind,
                     uint64_t address) {
  static_cast<Worker*>(context.owner)->addFault(instr, lane, kind, address);
}
void Worker::onConflict(Context& context, const Instr& instr, const Conflict& conflict) {
  static_cast<Worker*>(context.owner)->checker_->conflict(context, instr, conflict);
}
/// What the core tells of goes to the checker.
void Worker::watch() {
  CheckState& check = *context_->check;
  check.conflict = onConflict;
  copies_.arrived = [this](const AsyncCopies::Copy& copy) {
    checker_->copied(copy.lane, copy.to, copy.bytes, copy.site);
  };
  check.fence = [](Context& c, const Instr& instr) {
    static_cast<Worker*>(c.owner)->checker_->fence(c, instr);
  };
  check.handOn = [](Context& c, const Instr& instr, uint32_t lane, const Region* region,
                    uint64_t offset) {
    static_cast<Worker*>(c.owner)->checker_->handOn(c, instr, lane, region, offset);
  };
  check.takeOver = [](Context& c, const Instr&, uint32_t lane, const Region* region,
                      uint64_t offset) {
    static_cast<Worker*>(c.owner)->checker_->takeOver(c, lane, region, offset);
  };
}
void Worker::onBefore(Context& context, const Instr& instr) {
  static_cast<Worker*>(context.owner)->observer_->before(context, instr);
}
void Worker::onMet(Context& context, const BasicBlock& block, uint32_t lanes) {
  Worker& worker = *static_cast<Worker*>(context.owner);
  const bool ofBlock = block.terminator == Terminator::barrier;
  // Shuffles and votes meet too, but put no memory in order.
  const ptx::Opcode opcode = worker.setup_.program.instruction(block.source).opcode;
  const bool isBarrier = opcode == ptx::Opcode::bar || opcode == ptx::Opcode::barrier;
  if (worker.checker_ && !ofBlock && isBarrier) {
    worker.checker_->warpBarrier(*context.warp, lanes);
  }
  if (worker.observer_ == nullptr) return;
  if (ofBlock)
    worker.observer_->barrier(*context.warp, block.source);
  else
    worker.observer_->warpBarrier(*context.warp, block.source, lanes);
}
void Worker::onAfter(Context& context, const Instr& instr) {
  static_cast<Worker*>(context.owner)->observer_->after(context, instr);
}

}  // namespace tilestep::simt
