// SPDX-License-Identifier: Apache-2.0
#include "simt/run/worker.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

#include "base/hash.h"
#include "ptx/analysis/uses.h"
#include "simt/decode/emitter.h"
#include "simt/fault_text.h"
#include "simt/run/special_rows.h"

namespace tilestep::simt {
namespace {

constexpr std::align_val_t kMemoryAlignment{64};
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

}  // namespace

size_t pathsOf(const Program& program) {
  return 2 * size_t{kMostSplits} + program.mostCalls;
}

void Resident::FreeAligned::operator()(uint8_t* memory) const {
  ::operator delete(memory, kMemoryAlignment);
}

void Resident::Free::operator()(uint8_t* memory) const {
  std::free(memory);
}

Resident::Memory Worker::allocate(size_t bytes) {
  auto* memory =
      static_cast<uint8_t*>(::operator new(std::max<size_t>(bytes, 64), kMemoryAlignment));
  std::memset(memory, 0, std::max<size_t>(bytes, 64));
  return Resident::Memory(memory);
}

Worker::Worker(Setup& setup, GlobalShadows* shadows)
    : setup_(setup),
      shadows_(shadows),
      pending_(shadows == nullptr ? nullptr : &shadows->pending().add()),
      warps_(static_cast<uint32_t>(ceilDiv(setup.request->launch.block.count(), kLanes))),
      memos_(new AddressPattern[setup.program.memos + 1]()),
      branched_(setup.program.blocks.size()),
      requests_(setup.program.sites.size()),
      context_(new Context{}) {
  const Program& program = setup.program;
  Context& context = *context_;
  context.targets = program.targets.data();
  context.functions = program.addressed.data();
  context.functionCount = static_cast<uint32_t>(program.addressed.size());
  context.blocks = program.blocks.data();
  context.branched = branched_.data();
  context.memos = memos_.get();
  context.regions = setup.regions.data();
  context.cells = setup.map.cells();
  context.param = {0,    setup.parameterBlock.size(), setup.parameterBlock.data(), nullptr, false,
                   false};
  context.localBytes = program.bytesOfThread();
  context.stop = &setup.stop;
  context.alone = setup.request->threads <= 1 || setup.request->launch.grid.count() == 1;
  context.fault = onFault;
  context.before = onBefore;
  context.after = onAfter;
  context.owner = this;
  enter(furnish());
}

/// Allocates the memory of a block.
std::unique_ptr<Resident> Worker::furnish() {
  const Program& program = setup_.program;
  auto room = std::make_unique<Resident>();
  room->registers = allocate(size_t{warps_} * program.registerBytes);
  room->shared = allocate(setup_.sharedBytes);
  room->local.reset(
      static_cast<uint8_t*>(std::calloc(size_t{warps_} * kLanes + 1, program.bytesOfThread() + 1)));
  if (room->local == nullptr) throw std::bad_alloc();
  room->paths.reset(new Path[warps_ * pathsOf(program)]);
  room->warp.resize(warps_);
  room->state.resize(warps_);
  room->turns.resize(warps_);
  if (shadows_ != nullptr) {
    room->checker = std::make_unique<BlockChecker>(setup_, *shadows_, *pending_, warps_);
    watch(*room);
  }
  for (uint32_t i = 0; i < warps_; ++i) {
    Warp& warp = room->warp[i];
    warp.registers = room->registers.get() + size_t{i} * program.registerBytes;
    warp.index = i;
    warp.paths.paths = room->paths.get() + i * pathsOf(program);
    warp.paths.capacity = static_cast<uint32_t>(pathsOf(program));
    fillRows(warp.registers, i);
  }
  return room;
}

/// Makes `room` the current block.
void Worker::enter(std::unique_ptr<Resident> room) {
  now_ = std::move(room);
  const Program& program = setup_.program;
  Context& context = *context_;
  context.shared = {0, setup_.sharedBytes, now_->shared.get(), nullptr, true, false};
  context.check = now_->checker ? now_->checker->state() : nullptr;
  context.code[0] = (now_->observer ? program.observedAll : program.all).data();
  context.code[1] = (now_->observer ? program.observedSome : program.some).data();
  context.called = now_->checker ? onCalled : nullptr;
  context.met = now_->observer || now_->checker ? onMet : nullptr;
}

void Worker::fillRows(uint8_t* registers, uint32_t warp) const {
  const Program& program = setup_.program;
  for (const auto& row : program.constants) fillRow(registers + row.row, row.wide, row.bits);
  for (const auto& row : program.parameters) {
    fillRow(registers + row.row, row.wide, parameterBits(row, setup_.parameterBlock));
  }
  const BlockPlace place{setup_.request->launch, setup_.sharedBytes, Dim3{0, 0, 0}, warp,
                         setup_.workspaceAddress};
  for (const auto& row : program.specials) fillSpecialRow(registers + row.row, row.name, place);
}

void Worker::startBlock(Dim3 block, BlockObserver* observer) {
  const Program& program = setup_.program;
  now_->block = block;
  now_->observer = observer;
  now_->waiting.rounds = 0;
  enter(std::move(now_));
  if (now_->checker) now_->checker->startBlock(block);
  std::memset(now_->shared.get(), 0, setup_.sharedBytes);
  for (size_t lane = 0; program.localBytes != 0 && lane < size_t{warps_} * kLanes; ++lane) {
    std::memset(now_->local.get() + lane * context_->localBytes, 0, program.localBytes);
  }
  std::iota(now_->turns.begin(), now_->turns.end(), 0u);
  if (const uint64_t order = setup_.request->order) {
    now_->random = splitmix64(
        order ^ splitmix64(block.x + (uint64_t{block.y} << 24) + (uint64_t{block.z} << 48)));
    for (uint32_t i = warps_; i > 1; --i) {
      now_->random = splitmix64(now_->random);
      std::swap(now_->turns[i - 1], now_->turns[now_->random % i]);
    }
    now_->longTurns = splitmix64(now_->random) % 4 == 0;
    // Diverged lanes would change counters, and waiting lanes could wait for each other's turns.
    const bool mayPart =
        program.interleaves && observer == nullptr && !setup_.request->counters && !setup_.mayWait;
    now_->apart = mayPart && splitmix64(now_->random + 1) % 3 == 0;
  }
  now_->arrivals = {};
  now_->copies.reset(warps_);
  now_->copies.arrivedTogether = nullptr;
  if (observer != nullptr) {
    now_->copies.arrivedTogether = [this](uint32_t warp, const auto& copies) {
      now_->observer->arrived(now_->warp[warp], copies, now_->shared.get());
    };
  }
  for (uint32_t i = 0; i < warps_; ++i) startWarp(i);
}

uint32_t Worker::lanesOf(uint32_t warp) const {
  const uint64_t left = setup_.request->launch.block.count() - uint64_t{warp} * kLanes;
  return left >= kLanes ? 0xffffffffu : (1u << left) - 1;
}

void Worker::startWarp(uint32_t warp) {
  const Program& program = setup_.program;
  Warp& w = now_->warp[warp];
  setup_.engine->start(w, lanesOf(warp));
  now_->state[warp] = State::ready;
  for (const auto& [offset, bytes] : program.zeroed) std::memset(w.registers + offset, 0, bytes);
  if (program.stackRow != kNoRow) {
    fillRow(w.registers + program.stackRow, true, program.localBytes);
    fillRow(w.registers + program.framesRow, true, 0);
  }
  const BlockPlace place{setup_.request->launch, setup_.sharedBytes, now_->block, warp};
  for (const auto& row : program.specials) {
    if (changesByBlock(row.name)) fillSpecialRow(w.registers + row.row, row.name, place);
  }
}

Worker::Turn Worker::runBlock(Dim3 block, BlockObserver* observer) {
  startBlock(block, observer);
  return goOn();
}

Worker::Turn Worker::goOn() {
  while (!stopRequested(setup_)) {
    bool ran = false, inVain = setup_.mayWait;
    for (const uint32_t warp : now_->turns) {
      if (now_->state[warp] != State::ready) continue;
      runWarp(warp);
      ran = true;
      inVain = inVain && now_->state[warp] == State::ready && now_->warp[warp].paths.spun;
    }
    const bool released = releaseBarriers();
    if (!ran && !released) {
      const auto waits = std::count(now_->state.begin(), now_->state.end(), State::waiting);
      if (waits != 0) stuck();
      return Turn::ended;
    }
    if (!inVain || !ran || released) {
      now_->waiting.rounds = 0;
      now_->waiting.moved = true;
      if (setup_.interleaves && makesRoom()) return Turn::rests;
    } else if (onlyWaits()) {
      return Turn::waits;
    }
  }
  noteInterrupted();
  return Turn::ended;
}

/// Decides at random whether the block is suspended after this round of its warps.
bool Worker::makesRoom() {
  if (setup_.resident > setup_.mostInterleaved) return false;
  now_->random = splitmix64(now_->random);
  return now_->random % 2 == 0;
}

Counts* Worker::countsOf(uint32_t epoch) {
  if (!setup_.request->counters) return nullptr;
  constexpr size_t kMax = trace::GridCounters::kMaxEpochs;
  if (epoch >= kMax) epochsTruncated_ = true;
  const size_t index = std::min<size_t>(epoch, kMax - 1);
  while (epochs_.size() <= index) epochs_.emplace_back();
  return &epochs_[index];
}

/// In another order, warps take turns at random positions, except in some blocks, in which each
/// warp runs as far as it can before another warp begins.
uint32_t Worker::nextQuantum() {
  const bool waits = now_->waiting.rounds >= Waiting::kPatience;
  now_->random = splitmix64(now_->random);
  if (setup_.request->order == 0 || now_->longTurns) return waits ? 2 * kSpinCost : kQuantum;
  return 1 + static_cast<uint32_t>(now_->random % 64);
}

void Worker::runWarp(uint32_t warp) {
  Warp& w = now_->warp[warp];
  context_->warp = &w;
  context_->local = now_->local.get() + size_t{warp} * kLanes * context_->localBytes;
  context_->counts = countsOf(w.epoch);
  context_->quantum = nextQuantum();
  context_->laneOrder = setup_.request->order == 0 ? 0 : now_->random | 1;
  context_->apart = now_->apart ? now_->random | 1 : 0;
  if (now_->checker) now_->checker->enter(warp);
  const uint64_t before = w.clock;
  Pause pause = Pause::arrived;
  while ((pause = setup_.engine->run(*context_)) == Pause::arrived) {
    arrive(w);
    if (now_->checker) now_->checker->arrived(w.barrier % kBarriers);
  }
  if (now_->checker) now_->checker->leave();
  if (setup_.request->mostInstructions != 0) countInstructions(w, w.clock - before);
  if (pause == Pause::quantum) return;
  now_->state[warp] = pause == Pause::finished ? State::done : State::waiting;
  if (pause >= Pause::tooDeep) failAt(w, pause);
}

/// The first of `lanes` whose index is past the end of an indexed branch's table.
uint32_t Worker::laneWithoutLabel(const Warp& warp, uint32_t lanes, const DecodedBlock& block) {
  uint32_t lane = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    lane = static_cast<uint32_t>(std::countr_zero(lanes));
    uint32_t index = 0;
    std::memcpy(&index, warp.registers + block.row + lane * sizeof index, sizeof index);
    if (index >= block.targets) break;
  }
  return lane;
}

void Worker::failAt(const Warp& warp, Pause pause) {
  const Path& path = warp.paths.paths[warp.paths.current];
  const auto lane = static_cast<uint32_t>(__builtin_ctz(path.mask));
  const DecodedBlock& block = setup_.program.blocks[path.block];
  switch (pause) {
    case Pause::tooDeep:
      return fail("stack-overflow", block.source, lane, "Too many calls are nested");
    case Pause::noFunction:
      return fail("out-of-bounds", block.source, lane,
                  "A call of an address at which no function begins");
    case Pause::noLabel:
      return fail("out-of-bounds", block.source, laneWithoutLabel(warp, path.mask, block),
                  "An indexed branch (brx.idx) past the end of its table, which has " +
                      std::to_string(block.targets) + " labels");
    default:
      return fail("wrong-barrier", block.source, lane,
                  "A barrier for " + std::to_string(warp.barrierThreads) +
                      " threads; the number must be a positive multiple of 32");
  }
}

/// Ends the launch at the first warp that exceeds the limit.
void Worker::countInstructions(const Warp& warp, uint64_t count) {
  const uint64_t most = setup_.request->mostInstructions;
  executedInTurn_ += count;
  if (setup_.executed.fetch_add(count) + count <= most || warp.live == 0) return;
  const bool runs = warp.paths.current != kNoPath;
  const uint32_t source =
      runs ? setup_.program.blocks[warp.paths.paths[warp.paths.current].block].source
           : warp.barrierSource;
  const auto lane = static_cast<uint32_t>(__builtin_ctz(warp.live));
  const std::string executed =
      "The warps had executed more than " + std::to_string(most) + " instructions";
  if (setup_.mayWait)
    fail("waits-too-long", source, lane,
         executed + "; a loop of this kernel may wait for other threads, so it may still end");
  else
    fail("instruction-limit", source, lane, executed + "; look for a loop that never ends");
}

uint64_t Worker::allocateInHeap(uint64_t bytes) {
  const DeviceHeap::Allocation allocation = setup_.heap.allocate(bytes);
  if (shadows_ != nullptr && allocation.isUsed) shadows_->forget(allocation.address, bytes);
  return allocation.address;
}

bool Worker::prints() {
  const bool room = printed_.size() < kMostPrinted && printedBytes_ < kMostPrintedBytes;
  printedAll_ = printedAll_ && room;
  return room;
}

void Worker::print(uint32_t source, uint32_t lane, std::string text) {
  if (!prints()) return;
  printedBytes_ += text.size();
  printed_.push_back({now_->block,
                      threadAt(setup_.request->launch.block, context_->warp->index * kLanes + lane),
                      setup_.program.lineOf(source), std::move(text)});
}

const uint8_t* Worker::globalAt(uint64_t address, uint64_t bytes) const {
  const uint16_t index = setup_.map.regionAt(address);
  if (index == kNoRegion) return nullptr;
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
    const uint16_t index = setup_.map.regionAt(address);
    if (index == kNoRegion) return {};
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

void Worker::onFault(Context& context, const Instr& instr, uint32_t lane, AccessFault kind,
                     uint64_t address) {
  static_cast<Worker*>(context.owner)->addFault(instr, lane, kind, address);
}
void Worker::onBefore(Context& context, const Instr& instr) {
  static_cast<Worker*>(context.owner)->now_->observer->before(context, instr);
}
void Worker::onCalled(Context& context, const DecodedBlock& block, uint32_t lanes) {
  static_cast<Worker*>(context.owner)->lookAtMembers(context, block, lanes);
}
void Worker::onMet(Context& context, const DecodedBlock& block, uint32_t lanes) {
  Worker& worker = *static_cast<Worker*>(context.owner);
  const bool ofBlock = block.terminator == Terminator::barrier;
  // Shuffles and votes also synchronise lanes, but do not order memory accesses.
  const ptx::Instruction& instruction = worker.setup_.program.instruction(block.source);
  const bool isBarrier = ptx::effectOf(instruction) == ptx::Effect::barrier;
  if (worker.now_->checker && !ofBlock) {
    if (isBarrier)
      worker.now_->checker->warpBarrier(*context.warp, lanes);
    else
      worker.now_->checker->lanesMet();
  }
  if (worker.now_->observer == nullptr) return;
  if (ofBlock)
    worker.now_->observer->barrier(*context.warp, block.source);
  else
    worker.now_->observer->warpBarrier(*context.warp, block.source, lanes);
}
void Worker::onAfter(Context& context, const Instr& instr) {
  static_cast<Worker*>(context.owner)->now_->observer->after(context, instr);
}

}  // namespace tilestep::simt
