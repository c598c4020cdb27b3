// SPDX-License-Identifier: Apache-2.0
#include "lab/describe.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "base/figure_range.h"
#include "device/ceiling_keys.h"
#include "lab/run/result_check.h"
#include "ptx/text/parser.h"

namespace tilestep {
namespace {

/// Far above the values of any machine, yet low enough that derived products and lists stay small.
constexpr int64_t kMostBytes = int64_t{1} << 50, kMostSharedBytes = 1 << 24;
constexpr int64_t kMostMultiprocessors = 1 << 16, kMostRegisters = 1 << 20;
constexpr int64_t kMostThreads = 1 << 14, kMostBlocks = 1 << 12;
constexpr int64_t kMostRegistersOfThread = 1 << 16;
constexpr double kMostCounted = 1e18;

}  // namespace

void describe(Archive& io, TextLocation& where) {
  io("file", where.file);
  io("line", where.line);
  io("column", where.column);
}

void describe(Archive& io, Error& error) {
  io("kind", error.kind, ErrorKind::work);
  io.block("message", error.message);
  io("where", error.where);
  io.block("sourceLine", error.sourceLine);
  io("late", error.late);
}

void describe(Archive& io, Launch& launch) {
  io("entry", launch.entry);
  io("grid", launch.grid);
  io("block", launch.block);
  io("dynamicSharedBytes", launch.dynamicSharedBytes);
  io("cooperative", launch.cooperative);
}

void describe(Archive& io, Limits& limits) {
  io("device", limits.device);
  io("threadsPerBlock", limits.threadsPerBlock, 0, kMostThreads);
  io("sharedBytesPerBlock", limits.sharedBytesPerBlock, 0, kMostSharedBytes);
  io("sharedBytesPerBlockOptIn", limits.sharedBytesPerBlockOptIn, 0, kMostSharedBytes);
  io("maxBlock", limits.maxBlock);
  io("maxGrid", limits.maxGrid);
  io("memoryBytes", limits.memoryBytes, 0, kMostBytes);
  io("multiprocessors", limits.multiprocessors, 0, kMostMultiprocessors);
}

}  // namespace tilestep

namespace tilestep::compile {

void describe(Archive& io, ProgramSource& program) {
  io("path", program.path);
  io("folder", program.folder);
  io("arguments", program.arguments);
  io("includes", program.includes);
  io("defines", program.defines);
  io("standard", program.standard);
  io.block("input", program.input);
  io("timeoutSeconds", program.timeoutSeconds);
}

void describe(Archive& io, ProgramLaunch& launch) {
  io("program", launch.program);
  io("number", launch.number);
  io("order", launch.order);
  io("run", launch.run);
}

void describe(Archive& io, KernelSource& source) {
  io("path", source.path);
  io.block("text", source.text);
  io.block("frontMatter", source.frontMatter);
  io("entry", source.entry);
  io("launch", source.launch);
}

void describe(Archive& io, Assumption& assumption) {
  io("what", assumption.what);
  io("value", assumption.value);
  io("line", assumption.line);
}

void describe(Archive& io, FieldSpec& field) {
  io("type", field.type, ElementType::u64);
  io("value", field.value);
  io("pointer", field.pointer);
}

void describe(Archive& io, OperandSpec& spec) {
  io("name", spec.name);
  io("kind", spec.kind, OperandKind::symbol);
  io("type", spec.type, ElementType::u64);
  io("direction", spec.direction, Direction::inout);
  io("fill", spec.fill, Fill::wide);
  io("rows", spec.rows);
  io("columns", spec.columns);
  io("extent", spec.extent);
  io("value", spec.value);
  io("fields", spec.fields);
}

void describe(Archive& io, ResolvedOperand& operand) {
  io("spec", operand.spec);
  io("rows", operand.rows);
  io("columns", operand.columns);
  io("elements", operand.elements);
  io("scalar", operand.scalar);
  io("fields", operand.fields);
}

void describe(Archive& io, Plan::Shared& shared) {
  io("name", shared.name);
  io("holds", shared.holds);
  io("rows", shared.rows);
  io("columns", shared.columns);
  io("offset", shared.offset);
  io("elementBytes", shared.elementBytes);
}

void describe(Archive& io, Plan& plan) {
  io("bindings", plan.bindings);
  io("sizes", plan.sizes);
  io("tunables", plan.tunables);
  io("operands", plan.operands);
  io("launches", plan.launches);
  io("operations", plan.operations);
  io("phases", plan.phases);
  io("phaseLength", plan.phaseLength);
  io("shared", plan.shared);
}

}  // namespace tilestep::compile

namespace tilestep::device {

void describe(Archive& io, DeviceInfo& info) {
  io("id", info.id);
  io("name", info.name);
  io("computeCapability", info.computeCapability);
  io("measures", info.measures);
  io("limits", info.limits);
  io("multiprocessors", info.multiprocessors, 0, kMostMultiprocessors);
  io("registersPerMultiprocessor", info.registersPerMultiprocessor, 0, kMostRegisters);
  io("sharedBytesPerMultiprocessor", info.sharedBytesPerMultiprocessor, 0, kMostSharedBytes);
  io("sharedBytesReservedPerBlock", info.sharedBytesReservedPerBlock, 0, kMostSharedBytes);
  io("threadsPerMultiprocessor", info.threadsPerMultiprocessor, 0, kMostThreads);
  io("blocksPerMultiprocessor", info.blocksPerMultiprocessor, 0, kMostBlocks);
  io("clockMhz", info.clockMhz, 0, static_cast<int64_t>(kMegahertz.most));
  io("l2Bytes", info.l2Bytes, 0, kMostBytes);
  io("place", info.place);
  io("driver", info.driver);
  io("identity", info.identity);
  io("recordedOn", info.recordedOn);
  io("machines", info.machines);
  io("machine", info.machine);
}

void describe(Archive& io, ByteSpan& span) {
  io("begin", span.begin);
  io("end", span.end);
}

void describe(Archive& io, MemoryRange& range) {
  io("address", range.address);
  io("bytes", range.bytes);
  io("name", range.name);
  io("symbol", range.symbol);
  io("line", range.line);
  io.list("contents", range.contents, Archive::kMostListed,
          [](Archive& in, MemoryBlock& block) { in("bytes", block); });
  io("unset", range.unset);
  io("read", range.read);
  io("written", range.written);
}

void describe(Archive& io, CapturedLaunch& launch) {
  io("program", launch.program);
  io("number", launch.number);
  io("kernel", launch.kernel);
  io("line", launch.line);
  io("compiler", launch.compiler);
  io("version", launch.version);
  io.block("ptx", launch.ptx);
  io("launch", launch.launch);
  io("parameters", launch.parameters);
  io("ranges", launch.ranges);
  io("knowsAccesses", launch.knowsAccesses);
  if (!io.reads() || !io.good()) return;
  Result<ptx::Module> module = ptx::parse(launch.ptx, launch.program + " (PTX)");
  io.check(module.ok(), "ptx", module ? std::string() : module.error().message);
  if (!module) return;
  launch.module = std::make_shared<const ptx::Module>(std::move(*module));
  const Status runs = checkCaptured(launch);
  io.check(runs.ok(), "ranges", runs ? std::string() : runs.error().message);
}

void describe(Archive& io, Measurement& m) {
  io("recorded", m.recorded);
  io("medianMs", m.medianMs, kMilliseconds);
  io("minMs", m.minMs, kMilliseconds);
  io("p10Ms", m.p10Ms, kMilliseconds);
  io("p90Ms", m.p90Ms, kMilliseconds);
  io("repetitions", m.repetitions, 1, UINT32_MAX);
  io("clockMhz", m.clockMhz, 1, static_cast<int64_t>(kMegahertz.most));
  io("spread", m.spread, 0.0, kMilliseconds.most / kMilliseconds.least);
  io("rejected", m.rejected);
  io("batch", m.batch, 1, UINT32_MAX);
  io("powerWatts", m.powerWatts, kWatts);
  io("coldMedianMs", m.coldMedianMs, kMilliseconds);
  io("method", m.method);
  io.check(m.minMs <= m.p10Ms && m.p10Ms <= m.medianMs && m.medianMs <= m.p90Ms, "medianMs",
           "the times are not in order: min, p10, median, p90");
}

void describe(Archive& io, MachineFacts& facts) {
  io("spillStoreBytes", facts.spillStoreBytes);
  io("spillLoadBytes", facts.spillLoadBytes);
  io("activeBlocks", facts.activeBlocks, 0, kMostBlocks);
  io("limiter", facts.limiter);
}

void describe(Archive& io, HardwareFigure& figure) {
  io("name", figure.name);
  io("metric", figure.metric);
  io("unit", figure.unit, Unit::ratio);
  io("value", figure.value, 0.0, kMostCounted);
}

void describe(Archive& io, HardwareCounters& counters) {
  io("figures", counters.figures);
  io("passes", counters.passes);
  io("caches", counters.caches, CacheState::warm);
  io("library", counters.library);
  io("refused", counters.refused);
}

void describe(Archive& io, AccessSite& site) {
  io("line", site.line);
  io("thread", site.thread);
  io("block", site.block);
}

void describe(Archive& io, Printed& printed) {
  io("at", printed.at);
  io.block("text", printed.text);
}

void describe(Archive& io, Hazard& hazard) {
  io("kind", hazard.kind);
  io("space", hazard.space);
  io("first", hazard.first);
  io("second", hazard.second);
  io("epoch", hazard.epoch);
  io("count", hazard.count);
  io.block("message", hazard.message);
}

void describe(Archive& io, Fault& fault) {
  io("kind", fault.kind);
  io("at", fault.at);
  io("epoch", fault.epoch);
  io("address", fault.address);
  io("count", fault.count);
  io.block("message", fault.message);
}

void describe(Archive& io, NamedValue& value) {
  io("id", value.id);
  io("unit", value.unit);
  io("count", value.count);
  io("min", value.min, 0.0, kMostCounted);
  io("p10", value.p10, 0.0, kMostCounted);
  io("median", value.median, 0.0, kMostCounted);
  io("p90", value.p90, 0.0, kMostCounted);
  io("first", value.first, 0.0, kMostCounted);
  io("method", value.method);
}
void describe(Archive& io, LiveBatch& batch) {
  io("startMs", batch.startMs);
  io("atMs", batch.atMs);
  io("ms", batch.ms);
  io("every", batch.every, 1, UINT32_MAX);
  io("launches", batch.launches);
  io("dropped", batch.dropped);
  io("clockMhz", batch.clockMhz, kMegahertz);
  if (!io.reads() || !io.good()) return;
  constexpr double kMostMs = 1e12;  // About 30 years.
  bool right = batch.atMs.size() == batch.ms.size() && batch.ms.size() <= LiveBatch::kMostSamples &&
               batch.startMs >= 0 && batch.startMs <= kMostMs;
  float before = 0;
  for (size_t i = 0; i < batch.ms.size() && right; ++i) {
    right = kMilliseconds.holds(batch.ms[i]) && batch.atMs[i] >= before && batch.atMs[i] <= kMostMs;
    before = batch.atMs[i];
  }
  io.check(right, "ms", "its samples are out of range or out of order");
}
void describe(Archive& io, Ceilings& c) {
  io("device", c.device);
  io("origin", c.origin);
  io("measured", c.measured);
  for (const CeilingKey& key : kCeilingKeys) {
    const bool isRate = std::string_view(key.key).ends_with("_per_second");
    io(key.key, c.*key.value, isRate ? kPerSecond : kSeconds);
  }
  io("facts", c.facts);
}

void describe(Archive& io, RunOptions& options) {
  io("seed", options.seed);
  io("order", options.order);
  io("counters", options.counters);
  io("measure", options.measure);
  io("thorough", options.thorough);
  io("check", options.check);
  io("hardware", options.hardware);
  io("timeline", options.timeline);
  io("timings", options.timings);
  io("traceBlock", options.traceBlock);
  io("traceBytes", options.traceBytes);
  io("blockAlone", options.blockAlone);
  io("blocksInTurn", options.blocksInTurn);
  io("loadOnly", options.loadOnly);
  io("timeoutSeconds", options.timeoutSeconds);
  io("mostInstructions", options.mostInstructions);
}

void describe(Archive& io, Observations& o) {
  io("counters", o.counters);
  io("countingOverhead", o.countingOverhead, kRatio);
  io("trace", o.trace);
  io("traceFrom", o.traceFrom);
  io("traceOverhead", o.traceOverhead, kRatio);
  io("traceNote", o.traceNote);
  io("measurement", o.measurement);
  io("hardware", o.hardware);
  io("hazards", o.hazards);
  io("faults", o.faults);
  io("registers", o.registers, 0, kMostRegistersOfThread);
  io("localBytes", o.localBytes);
  io("sharedBytes", o.sharedBytes);
  io("machine", o.machine);
  io("timeline", o.timeline);
  io("timelineNote", o.timelineNote);
  io("timings", o.timings, NamedValue::kMost);
  io("timingsNote", o.timingsNote);
  io("printed", o.printed);
  io("printedAll", o.printedAll);
  io("wallSeconds", o.wallSeconds, 0.0, kMostCounted);
}

}  // namespace tilestep::device

namespace tilestep::trace {
namespace {

/// The entry of a row that does not have this counter.
constexpr uint64_t kAbsent = ~uint64_t{0};
/// No GPU counts this far in hours, and sums of a few thousand epochs stay below 2^64.
constexpr uint64_t kMostCount = uint64_t{1} << 51;

}  // namespace

/// Stored as named byte strings, which BlockTrace::fromColumns validates.
void describe(Archive& io, BlockTrace& recording) {
  constexpr size_t kMostColumns = 64;
  std::vector<BlockTrace::Column> columns;
  if (!io.reads()) columns = recording.columns();
  io.list("columns", columns, kMostColumns, [](Archive& in, BlockTrace::Column& column) {
    in("name", column.name);
    in("bytes", column.bytes);
  });
  if (!io.reads() || !io.good()) return;
  Result<BlockTrace> read = BlockTrace::fromColumns(columns);
  io.check(read.ok(), "columns", read ? std::string() : read.error().message);
  if (read) recording = std::move(*read);
}

void describe(Archive& io, Timeline& t) {
  io("device", t.device);
  io("tickNs", t.tickNs);
  io("multiprocessors", t.multiprocessors);
  io("maxWarps", t.maxWarps);
  io("warpsPerBlock", t.warpsPerBlock);
  io("clockMhz", t.clockMhz);
  io("price", t.price);
  io("registers", t.registers);
  io("plainRegisters", t.plainRegisters);
  io("phases", t.phases);
  io("epochsPerPhase", t.epochsPerPhase);
  io("epochsBefore", t.epochsBefore);
  io("sm", t.sm);
  io("startNs", t.startNs);
  // Durations take less space than ends.
  std::vector<uint64_t> durations;
  for (size_t i = 0; i < t.endNs.size(); ++i) durations.push_back(t.endNs[i] - t.startNs[i]);
  io("durationNs", durations);
  io("busyWarpCycles", t.busyWarpCycles);
  io("waitWarpCycles", t.waitWarpCycles);
  io("activeCycles", t.activeCycles);
  io("epochs", t.epochs);
  io("epochStep", t.epochStep);
  io("epochBusy", t.epochBusy);
  io("epochWait", t.epochWait);
  if (!io.reads() || !io.good()) return;
  io.check(durations.size() == t.startNs.size(), "durationNs", "its columns differ in length");
  if (!io.good()) return;
  t.endNs.clear();
  for (size_t i = 0; i < durations.size(); ++i) t.endNs.push_back(t.startNs[i] + durations[i]);
  const Status whole = t.check();
  io.check(whole.ok(), "sm", whole ? std::string() : whole.error().message);
}

void describe(Archive& io, std::vector<Counters>& rows) {
  std::vector<uint64_t> column;
  bool isFirst = true;
  for (const CounterField& field : counterFields()) {
    column.clear();
    if (!io.reads())
      for (const Counters& row : rows) column.push_back(field.of(row).value_or(kAbsent));
    io(field.name, column);
    if (!io.reads()) continue;
    // Checked before allocation: a row needs 200 times the memory of a value in a packed column.
    io.check(column.size() <= GridCounters::kMaxEpochs + 1, field.name, "more than 4096 epochs");
    if (!io.good()) return;
    if (std::exchange(isFirst, false)) rows.resize(column.size());
    io.check(column.size() == rows.size(), field.name, "its columns differ in length");
    for (size_t i = 0; i < rows.size() && io.good(); ++i) {
      io.check(column[i] <= kMostCount || (column[i] == kAbsent && field.plain == nullptr),
               field.name, std::string(field.name) + " exceeds 2^51");
      field.set(rows[i], column[i] == kAbsent ? std::nullopt : std::optional(column[i]));
    }
  }
}

void describe(Archive& io, GridCounters& counters) {
  // Row 0 is the total. The epochs follow.
  std::vector<Counters> rows{counters.total};
  rows.insert(rows.end(), counters.epochs.begin(), counters.epochs.end());
  io("epochsTruncated", counters.epochsTruncated);
  describe(io, rows);
  io.check(!rows.empty() && rows.size() <= GridCounters::kMaxEpochs + 1, "epochsTruncated",
           "there are no rows, or more than 4096 epochs");
  if (!io.reads() || !io.good()) return;
  counters.total = rows.front();
  counters.epochs.assign(std::next(rows.begin()), rows.end());
}

}  // namespace tilestep::trace

namespace tilestep::lab {

void describe(Archive& io, Experiment& e) {
  device::describe(io, static_cast<device::RunOptions&>(e));
  io("source", e.source);
  io("captured", e.captured);
  io("dataOf", e.dataOf);
  io("operation", e.operation);
  io("sizes", e.sizes);
  io("tunables", e.tunables);
  io("device", e.device);
  io("pictureSide", e.pictureSide);
  io("memoryBytes", e.memoryBytes);
  io("onlyRecorded", e.onlyRecorded);
}

void describe(Archive& io, CompilerInfo& compiler) {
  io("name", compiler.name);
  io("version", compiler.version);
  io("arch", compiler.arch);
  io("ms", compiler.ms);
  io("cached", compiler.cached);
}

void describe(Archive& io, WrongElement& wrong) {
  io("operand", wrong.operand);
  io("element", wrong.element);
  io("written", wrong.written);
  io("got", wrong.got);
  io("expected", wrong.expected);
}

void describe(Archive& io, Check& check) {
  io("reference", check.reference);
  io("scaledError", check.scaledError);
  io("bound", check.bound);
  io("unwritten", check.unwritten);
  io("ok", check.ok);
  io("nonFinite", check.nonFinite);
  io("firstWrong", check.firstWrong);
  io("wrong", check.wrong);
  io("compared", check.compared);
}

void describe(Archive& io, Picture& picture) {
  io("operand", picture.operand);
  io("rows", picture.rows);
  io("columns", picture.columns);
  io("height", picture.height);
  io("width", picture.width);
  io("values", picture.values);
}

void describe(Archive& io, Nearest& nearest) {
  io("why", nearest.why);
  io("known", nearest.known);
  io("sizes", nearest.sizes);
  io("tunables", nearest.tunables);
}

void describe(Archive& io, UncertainCounts& counts) {
  io("why", counts.why, UncertainCounts::Why::prints);
  io("line", counts.line);
  io("counters", counts.counters);
}

void describe(Archive& io, RunResult& r) {
  device::describe(io, static_cast<device::Observations&>(r));
  io("kernel", r.kernel);
  io("source", r.source);
  io("assumed", r.assumed);
  io("device", r.device);
  io("compiler", r.compiler);
  io("plan", r.plan);
  io("check", r.check);
  io("checkNote", r.checkNote);
  io("nothingToCompare", r.nothingToCompare);
  io("outputHash", r.outputHash);
  io("pictures", r.pictures);
  io("nearest", r.nearest);
  io("countersFrom", r.countersFrom);
  io("blockAlone", r.blockAlone);
  io("machineCeilings", r.machineCeilings);
  io("asyncCopies", r.asyncCopies);
  io("uncertain", r.uncertain);
  io("withoutAtomics", r.withoutAtomics);
  io("isLaunch", r.isLaunch);
  io("hasCostlyWork", r.hasCostlyWork);
  io.block("kernelText", r.kernelText);
  io("hasGivenData", r.hasGivenData);
  io("given", r.given);
  io("operation", r.operation);
  io("question", r.question);
  if (!io.reads() || !io.good()) return;
  const Status usable = checkResult(r);
  io.check(usable.ok(), "plan", usable ? std::string() : usable.error().message);
}

}  // namespace tilestep::lab
