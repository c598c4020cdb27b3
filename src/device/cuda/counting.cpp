// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting.h"

#include <algorithm>

namespace tilestep::cuda {
namespace {

using ptx::Count;
using ptx::CountTable;

/// The table's variable, as kernels/probes/count.cu declares it.
struct TableHeader {
  uint64_t cells = 0;
  uint32_t columns = 0;
  uint32_t greatestEpoch = 0;
};
static_assert(sizeof(TableHeader) == 16);

uint64_t& fieldOf(trace::Counters& c, Count count) {
  switch (count) {
    case Count::globalLoadThreads:
      return c.globalLoad.threads;
    case Count::globalLoadRequests:
      return c.globalLoad.requests;
    case Count::globalLoadSectors:
      return c.globalLoad.sectors;
    case Count::globalLoadBytes:
      return c.globalLoad.bytes;
    case Count::globalLoadDistinctBytes:
      return c.globalLoad.distinctBytes;
    case Count::globalStoreThreads:
      return c.globalStore.threads;
    case Count::globalStoreRequests:
      return c.globalStore.requests;
    case Count::globalStoreSectors:
      return c.globalStore.sectors;
    case Count::globalStoreBytes:
      return c.globalStore.bytes;
    case Count::globalStoreDistinctBytes:
      return c.globalStore.distinctBytes;
    case Count::sharedLoadRequests:
      return c.sharedLoad.requests;
    case Count::sharedLoadWavefronts:
      return c.sharedLoad.wavefronts;
    case Count::sharedLoadBankConflicts:
      return c.sharedLoad.bankConflicts;
    case Count::sharedStoreRequests:
      return c.sharedStore.requests;
    case Count::sharedStoreWavefronts:
      return c.sharedStore.wavefronts;
    case Count::sharedStoreBankConflicts:
      return c.sharedStore.bankConflicts;
    case Count::barriers:
      return c.barriers;
    case Count::ffma:
      return c.ffma;
    case Count::fadd:
      return c.fadd;
    case Count::fmul:
      return c.fmul;
    case Count::threadInstructions:
      return c.threadInstructions;
  }
  return c.threadInstructions;
}

/// Sums [row][column] over copies and periods, differences undone.
std::vector<uint64_t> sumTables(const std::vector<uint64_t>& cells, uint32_t rows, size_t width) {
  std::vector<uint64_t> sums(rows * width, 0);
  std::vector<uint64_t> table(rows * width);
  const size_t size = table.size();
  for (size_t t = 0; t < size_t{CountTable::kCopies} * CountTable::kPeriods; ++t) {
    const size_t period = t % CountTable::kPeriods + 1;
    std::copy_n(cells.begin() + static_cast<ptrdiff_t>(t * size), size, table.begin());
    for (size_t row = 0; row < rows; ++row) {
      const bool isDifference = row >= period && row + 1 < CountTable::kEpochs;
      for (size_t c = 0; c < width; ++c) {
        if (isDifference) table[row * width + c] += table[(row - period) * width + c];
        sums[row * width + c] += table[row * width + c];
      }
    }
  }
  return sums;
}

}  // namespace

trace::GridCounters decodeCounts(const std::vector<uint64_t>& cells, uint32_t rows,
                                 const std::vector<ptx::CountColumn>& columns,
                                 uint32_t greatestEpoch) {
  static_assert(CountTable::kEpochs == trace::GridCounters::kMaxEpochs);
  const std::vector<uint64_t> sums = sumTables(cells, rows, columns.size());
  trace::GridCounters grid;
  grid.epochs.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t c = 0; c < columns.size(); ++c) {
      for (const ptx::CountTerm& term : columns[c]) {
        fieldOf(grid.epochs[row], term.count) +=
            sums[row * columns.size() + c] * static_cast<uint64_t>(term.factor);
      }
    }
    grid.total += grid.epochs[row];
  }
  grid.epochsTruncated = greatestEpoch >= CountTable::kEpochs;
  return grid;
}

uint32_t registerLimit(const device::DeviceInfo& info, uint64_t threadsPerBlock,
                       uint32_t plainRegisters) {
  // A thread has 255 at most; the least is what the functions that woven code calls need.
  constexpr uint64_t kLeast = 32, kMost = 64, kGranule = 8;
  const uint64_t registers = info.registersPerMultiprocessor;
  const uint64_t threads = (std::max<uint64_t>(threadsPerBlock, 1) + 31) / 32 * 32;
  if (registers == 0 || plainRegisters == 0 || info.blocksPerMultiprocessor == 0) return 0;
  const uint64_t each = (plainRegisters + kGranule - 1) / kGranule * kGranule;
  const uint64_t blocks =
      std::min({registers / (each * threads), info.threadsPerMultiprocessor / threads,
                uint64_t{info.blocksPerMultiprocessor}});
  if (blocks == 0) return 0;
  const uint64_t wanted = (3 * blocks + 3) / 4;
  const uint64_t limit = registers / (wanted * threads) / kGranule * kGranule;
  return static_cast<uint32_t>(std::clamp(limit, kLeast, std::max(kMost, each)));
}

Result<CountingProgram> CountingProgram::load(const ContextPtr& context, const device::Job& job,
                                              const device::DeviceInfo& info,
                                              uint32_t plainRegisters, bool withLaps) {
  if (!job.probes || !job.module) {
    return workError("Counting on a GPU needs kernels/probes/count.cu compiled.");
  }
  uint64_t threads = 0;
  for (const Launch& launch : job.launches) threads = std::max(threads, launch.block.count());
  Result<ptx::Instrumented> made =
      ptx::instrument(*job.module, *job.probes, job.launches,
                      registerLimit(info, threads, plainRegisters), withLaps);
  if (!made) return made.error();
  CountingProgram counting;
  counting.context_ = context;
  counting.columns_ = std::move(made->columns);
  Result<Program> program = Program::load(context, made->ptx, job.launches, info);
  if (!program) {
    return workError("The counting version of the kernel did not load. " + program.error().message);
  }
  counting.program_ = std::move(*program);
  size_t bytes = 0;
  if (Status s = context->check(
          context->api().moduleGetGlobal(&counting.header_, &bytes,
                                         counting.program_.module().get(), CountTable::kSymbol),
          "Looking for the table of counts");
      !s) {
    return s.error();
  }
  if (bytes != sizeof(TableHeader)) {
    return workError("kernels/probes/count.cu and this program disagree about the table's size.");
  }
  Result<Memory> cells = allocate(context,
                                  uint64_t{CountTable::kCopies} * CountTable::kPeriods *
                                      CountTable::kEpochs * 8 * counting.columns_.size(),
                                  "the table of counts");
  if (!cells) return cells.error();
  counting.cells_ = std::move(*cells);
  return counting;
}

Status CountingProgram::clear(StreamHandle stream) {
  const Api& api = context_->api();
  const TableHeader header{cells_.get(), static_cast<uint32_t>(columns_.size()), 0};
  if (Status s =
          copyToGpu(*context_, header_, &header, sizeof header, "Setting the table of counts");
      !s) {
    return s;
  }
  const uint64_t bytes = uint64_t{CountTable::kCopies} * CountTable::kPeriods *
                         CountTable::kEpochs * 8 * columns_.size();
  return context_->check(api.memsetD8Async(cells_.get(), 0, bytes, stream),
                         "Clearing the table of counts");
}

Result<std::optional<trace::GridCounters>> CountingProgram::run(Execution& execution,
                                                                Operands& operands) {
  std::vector<void*> parameters = operands.parameters();
  if (Status s = clear(execution.stream()); !s) return s.error();
  if (Status s = program_.launch(execution.stream(), parameters); !s) return s.error();
  if (Status s = execution.finish(); !s) return s.error();
  return read();
}

// Only the rows that the launch reached travel back.
Result<std::optional<trace::GridCounters>> CountingProgram::read() const {
  const Api& api = context_->api();
  TableHeader header;
  if (Status s = context_->check(api.memcpyDtoH(&header, header_, sizeof header),
                                 "Reading the table of counts");
      !s) {
    return s.error();
  }
  if (header.greatestEpoch == CountTable::kUnfit) return std::optional<trace::GridCounters>();
  const uint32_t rows = std::min(header.greatestEpoch, CountTable::kEpochs - 1) + 1;
  const size_t size = rows * columns_.size();
  const size_t whole = CountTable::kEpochs * columns_.size();
  std::vector<uint64_t> cells(size * CountTable::kCopies * CountTable::kPeriods);
  for (size_t t = 0; t < size_t{CountTable::kCopies} * CountTable::kPeriods; ++t) {
    if (Status s = context_->check(
            api.memcpyDtoH(cells.data() + t * size, cells_.get() + t * whole * 8, size * 8),
            "Reading the table of counts");
        !s) {
      return s.error();
    }
  }
  return std::optional(decodeCounts(cells, rows, columns_, header.greatestEpoch));
}

}  // namespace tilestep::cuda
