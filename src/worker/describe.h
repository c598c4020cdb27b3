// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/program_source.h"
#include "lab/experiment.h"
#include "worker/archive.h"
#include "worker/messages.h"

/// Every struct that is sent, with the names of its fields. Structs of other folders are described
/// here too, in their own namespaces for argument-dependent lookup. Private to messages.cpp.
namespace tilestep::worker {

template <>
struct LastOf<ElementType> {
  static constexpr auto value = ElementType::u64;
};
template <>
struct LastOf<Direction> {
  static constexpr auto value = Direction::inout;
};
template <>
struct LastOf<Fill> {
  static constexpr auto value = Fill::wide;
};
template <>
struct LastOf<OperandKind> {
  static constexpr auto value = OperandKind::symbol;
};
template <>
struct LastOf<Unit> {
  static constexpr auto value = Unit::ratio;
};
template <>
struct LastOf<device::CacheState> {
  static constexpr auto value = device::CacheState::warm;
};
template <>
struct LastOf<lab::UncertainCounts::Why> {
  static constexpr auto value = lab::UncertainCounts::Why::prints;
};
template <>
struct LastOf<ErrorKind> {
  static constexpr auto value = ErrorKind::work;
};

}  // namespace tilestep::worker

namespace tilestep {

using worker::Like;

template <class A, Like<Dim3> T>
void describe(A& archive, T& d) {
  archive("x", d.x);
  archive("y", d.y);
  archive("z", d.z);
}

template <class A, Like<TextLocation> T>
void describe(A& archive, T& where) {
  archive("file", where.file);
  archive("line", where.line);
  archive("column", where.column);
}

template <class A, Like<Error> T>
void describe(A& archive, T& error) {
  archive("kind", error.kind);
  archive("message", error.message);
  archive("where", error.where);
  archive("sourceLine", error.sourceLine);
  archive("late", error.late);
}

template <class A, Like<Launch> T>
void describe(A& archive, T& launch) {
  archive("entry", launch.entry);
  archive("grid", launch.grid);
  archive("block", launch.block);
  archive("dynamicSharedBytes", launch.dynamicSharedBytes);
  archive("cooperative", launch.cooperative);
}

template <class A, Like<Limits> T>
void describe(A& archive, T& limits) {
  archive("device", limits.device);
  archive("threadsPerBlock", limits.threadsPerBlock);
  archive("sharedBytesPerBlock", limits.sharedBytesPerBlock);
  archive("sharedBytesPerBlockOptIn", limits.sharedBytesPerBlockOptIn);
  archive("maxBlock", limits.maxBlock);
  archive("maxGrid", limits.maxGrid);
  archive("memoryBytes", limits.memoryBytes);
  archive("multiprocessors", limits.multiprocessors);
}

}  // namespace tilestep

namespace tilestep::compile {

using worker::Like;

template <class A, Like<ProgramSource> T>
void describe(A& archive, T& program) {
  archive("path", program.path);
  archive("folder", program.folder);
  archive("arguments", program.arguments);
  archive("includes", program.includes);
  archive("defines", program.defines);
  archive("standard", program.standard);
  archive("input", program.input);
  archive("timeoutSeconds", program.timeoutSeconds);
}

template <class A, Like<ProgramLaunch> T>
void describe(A& archive, T& launch) {
  archive("program", launch.program);
  archive("number", launch.number);
  archive("order", launch.order);
  archive("run", launch.run);
}

template <class A, Like<KernelSource> T>
void describe(A& archive, T& source) {
  archive("path", source.path);
  archive("text", source.text);
  archive("frontMatter", source.frontMatter);
  archive("entry", source.entry);
  archive("launch", source.launch);
}

template <class A, Like<Assumption> T>
void describe(A& archive, T& assumption) {
  archive("what", assumption.what);
  archive("value", assumption.value);
  archive("line", assumption.line);
}

template <class A, Like<FieldSpec> T>
void describe(A& archive, T& field) {
  archive("type", field.type);
  archive("value", field.value);
  archive("pointer", field.pointer);
}

template <class A, Like<OperandSpec> T>
void describe(A& archive, T& spec) {
  archive("name", spec.name);
  archive("kind", spec.kind);
  archive("type", spec.type);
  archive("direction", spec.direction);
  archive("fill", spec.fill);
  archive("rows", spec.rows);
  archive("columns", spec.columns);
  archive("extent", spec.extent);
  archive("value", spec.value);
  archive("fields", spec.fields);
}

template <class A, Like<ResolvedOperand> T>
void describe(A& archive, T& operand) {
  archive("spec", operand.spec);
  archive("rows", operand.rows);
  archive("columns", operand.columns);
  archive("elements", operand.elements);
  archive("scalar", operand.scalar);
  archive("fields", operand.fields);
}

template <class A, Like<Plan::Shared> T>
void describe(A& archive, T& shared) {
  archive("name", shared.name);
  archive("holds", shared.holds);
  archive("rows", shared.rows);
  archive("columns", shared.columns);
  archive("offset", shared.offset);
  archive("elementBytes", shared.elementBytes);
}

template <class A, Like<Plan> T>
void describe(A& archive, T& plan) {
  archive("bindings", plan.bindings);
  archive("sizes", plan.sizes);
  archive("tunables", plan.tunables);
  archive("operands", plan.operands);
  archive("launches", plan.launches);
  archive("operations", plan.operations);
  archive("phases", plan.phases);
  archive("phaseLength", plan.phaseLength);
  archive("shared", plan.shared);
}

}  // namespace tilestep::compile

namespace tilestep::device {

using worker::Like;

template <class A, Like<DeviceInfo> T>
void describe(A& archive, T& info) {
  archive("id", info.id);
  archive("name", info.name);
  archive("computeCapability", info.computeCapability);
  archive("measures", info.measures);
  archive("limits", info.limits);
  archive("multiprocessors", info.multiprocessors);
  archive("registersPerMultiprocessor", info.registersPerMultiprocessor);
  archive("sharedBytesPerMultiprocessor", info.sharedBytesPerMultiprocessor);
  archive("sharedBytesReservedPerBlock", info.sharedBytesReservedPerBlock);
  archive("threadsPerMultiprocessor", info.threadsPerMultiprocessor);
  archive("blocksPerMultiprocessor", info.blocksPerMultiprocessor);
  archive("clockMhz", info.clockMhz);
  archive("l2Bytes", info.l2Bytes);
  archive("place", info.place);
  archive("driver", info.driver);
  archive("identity", info.identity);
  archive("recordedOn", info.recordedOn);
  archive("machines", info.machines);
  archive("machine", info.machine);
}

template <class A, Like<ByteSpan> T>
void describe(A& archive, T& span) {
  archive("begin", span.begin);
  archive("end", span.end);
}

template <class A, Like<MemoryRange> T>
void describe(A& archive, T& range) {
  archive("address", range.address);
  archive("bytes", range.bytes);
  archive("name", range.name);
  archive("symbol", range.symbol);
  archive("line", range.line);
  archive("contents", range.contents);
  archive("unset", range.unset);
  archive("read", range.read);
  archive("written", range.written);
}

/// The module travels as its text (messages.cpp).
void finishRead(worker::Reader& archive, CapturedLaunch& launch);
inline void finishRead(worker::Writer&, const CapturedLaunch&) {}

template <class A, Like<CapturedLaunch> T>
void describe(A& archive, T& launch) {
  archive("program", launch.program);
  archive("number", launch.number);
  archive("kernel", launch.kernel);
  archive("line", launch.line);
  archive("compiler", launch.compiler);
  archive("version", launch.version);
  archive("ptx", launch.ptx);
  archive("launch", launch.launch);
  archive("parameters", launch.parameters);
  archive("ranges", launch.ranges);
  archive("knowsAccesses", launch.knowsAccesses);
  finishRead(archive, launch);
}

template <class A, Like<Measurement> T>
void describe(A& archive, T& m) {
  archive("recorded", m.recorded);
  archive("medianMs", m.medianMs);
  archive("minMs", m.minMs);
  archive("p10Ms", m.p10Ms);
  archive("p90Ms", m.p90Ms);
  archive("repetitions", m.repetitions);
  archive("clockMhz", m.clockMhz);
  archive("spread", m.spread);
  archive("rejected", m.rejected);
  archive("batch", m.batch);
  archive("powerWatts", m.powerWatts);
  archive("coldMedianMs", m.coldMedianMs);
  archive("method", m.method);
}

template <class A, Like<MachineFacts> T>
void describe(A& archive, T& facts) {
  archive("spillStoreBytes", facts.spillStoreBytes);
  archive("spillLoadBytes", facts.spillLoadBytes);
  archive("activeBlocks", facts.activeBlocks);
  archive("limiter", facts.limiter);
}

template <class A, Like<HardwareFigure> T>
void describe(A& archive, T& figure) {
  archive("name", figure.name);
  archive("metric", figure.metric);
  archive("unit", figure.unit);
  archive("value", figure.value);
}

template <class A, Like<HardwareCounters> T>
void describe(A& archive, T& counters) {
  archive("figures", counters.figures);
  archive("passes", counters.passes);
  archive("caches", counters.caches);
  archive("library", counters.library);
  archive("refused", counters.refused);
}

template <class A, Like<AccessSite> T>
void describe(A& archive, T& site) {
  archive("line", site.line);
  archive("thread", site.thread);
  archive("block", site.block);
}

template <class A, Like<Printed> T>
void describe(A& archive, T& printed) {
  archive("at", printed.at);
  archive("text", printed.text);
}

template <class A, Like<Hazard> T>
void describe(A& archive, T& hazard) {
  archive("kind", hazard.kind);
  archive("space", hazard.space);
  archive("first", hazard.first);
  archive("second", hazard.second);
  archive("epoch", hazard.epoch);
  archive("count", hazard.count);
  archive("message", hazard.message);
}

template <class A, Like<Fault> T>
void describe(A& archive, T& fault) {
  archive("kind", fault.kind);
  archive("at", fault.at);
  archive("epoch", fault.epoch);
  archive("address", fault.address);
  archive("count", fault.count);
  archive("message", fault.message);
}

template <class A, Like<NamedValue> T>
void describe(A& archive, T& value) {
  archive("id", value.id);
  archive("unit", value.unit);
  archive("count", value.count);
  archive("min", value.min);
  archive("p10", value.p10);
  archive("median", value.median);
  archive("p90", value.p90);
  archive("first", value.first);
  archive("method", value.method);
}
/// Named values that were read are checked together, for there may be too many (messages.cpp).
void checkRead(worker::Reader& archive, const std::vector<NamedValue>& values);
inline void checkRead(worker::Writer&, const std::vector<NamedValue>&) {}

/// Checked when it is read (messages.cpp).
void describe(worker::Reader& archive, LiveBatch& batch);
template <class A, Like<LiveBatch> T>
void describeLive(A& archive, T& batch) {
  archive("startMs", batch.startMs);
  archive("atMs", batch.atMs);
  archive("ms", batch.ms);
  archive("every", batch.every);
  archive("launches", batch.launches);
  archive("dropped", batch.dropped);
  archive("clockMhz", batch.clockMhz);
}
inline void describe(worker::Writer& archive, const LiveBatch& batch) {
  describeLive(archive, batch);
}

void checkRead(worker::Reader& archive, const Ceilings& ceilings);
inline void checkRead(worker::Writer&, const Ceilings&) {}

template <class A, Like<Ceilings> T>
void describe(A& archive, T& c) {
  archive("device", c.device);
  archive("origin", c.origin);
  archive("measured", c.measured);
  archive("dramBytesPerSecond", c.dramBytesPerSecond);
  archive("l2BytesPerSecond", c.l2BytesPerSecond);
  archive("l1BytesPerSecond", c.l1BytesPerSecond);
  archive("sharedBytesPerSecond", c.sharedBytesPerSecond);
  archive("fp32FlopPerSecond", c.fp32FlopPerSecond);
  archive("dramCopyBytesPerSecond", c.dramCopyBytesPerSecond);
  archive("launchSeconds", c.launchSeconds);
  archive("launchAndWaitSeconds", c.launchAndWaitSeconds);
  archive("dramLatencySeconds", c.dramLatencySeconds);
  archive("l2LatencySeconds", c.l2LatencySeconds);
  archive("l1LatencySeconds", c.l1LatencySeconds);
  archive("sharedLatencySeconds", c.sharedLatencySeconds);
  archive("instructionSeconds", c.instructionSeconds);
  archive("barrierSeconds", c.barrierSeconds);
  archive("blockStartSeconds", c.blockStartSeconds);
  archive("kernelStartSeconds", c.kernelStartSeconds);
  archive("facts", c.facts);
  checkRead(archive, c);
}

}  // namespace tilestep::device

namespace tilestep::trace {

/// Traces and counters travel as columns: messages.cpp makes and checks them.
void describe(worker::Writer& archive, const Recording& recording);
void describe(worker::Reader& archive, Recording& recording);
void describe(worker::Writer& archive, const Timeline& timeline);
void describe(worker::Reader& archive, Timeline& timeline);
void describe(worker::Writer& archive, const GridCounters& counters);
void describe(worker::Reader& archive, GridCounters& counters);

}  // namespace tilestep::trace

namespace tilestep::lab {

using worker::Like;

template <class A, Like<Experiment> T>
void describe(A& archive, T& e) {
  archive("source", e.source);
  archive("captured", e.captured);
  archive("dataOf", e.dataOf);
  archive("operation", e.operation);
  archive("sizes", e.sizes);
  archive("tunables", e.tunables);
  archive("device", e.device);
  archive("seed", e.seed);
  archive("order", e.order);
  archive("counters", e.counters);
  archive("measure", e.measure);
  archive("check", e.check);
  archive("traceBlock", e.traceBlock);
  archive("pictureSide", e.pictureSide);
  archive("timeoutSeconds", e.timeoutSeconds);
  archive("mostInstructions", e.mostInstructions);
  archive("memoryBytes", e.memoryBytes);
  archive("timeline", e.timeline);
  archive("timings", e.timings);
  archive("thorough", e.thorough);
  archive("hardware", e.hardware);
  archive("onlyRecorded", e.onlyRecorded);
  archive("blockAlone", e.blockAlone);
  archive("blocksInTurn", e.blocksInTurn);
  archive("traceBytes", e.traceBytes);
  archive("loadOnly", e.loadOnly);
}

template <class A, Like<CompilerInfo> T>
void describe(A& archive, T& compiler) {
  archive("name", compiler.name);
  archive("version", compiler.version);
  archive("arch", compiler.arch);
  archive("ms", compiler.ms);
  archive("cached", compiler.cached);
}

template <class A, Like<WrongElement> T>
void describe(A& archive, T& wrong) {
  archive("operand", wrong.operand);
  archive("element", wrong.element);
  archive("written", wrong.written);
  archive("got", wrong.got);
  archive("expected", wrong.expected);
}

template <class A, Like<Check> T>
void describe(A& archive, T& check) {
  archive("reference", check.reference);
  archive("scaledError", check.scaledError);
  archive("bound", check.bound);
  archive("unwritten", check.unwritten);
  archive("ok", check.ok);
  archive("nonFinite", check.nonFinite);
  archive("firstWrong", check.firstWrong);
  archive("wrong", check.wrong);
  archive("compared", check.compared);
}

template <class A, Like<Picture> T>
void describe(A& archive, T& picture) {
  archive("operand", picture.operand);
  archive("rows", picture.rows);
  archive("columns", picture.columns);
  archive("height", picture.height);
  archive("width", picture.width);
  archive("values", picture.values);
}

template <class A, Like<Nearest> T>
void describe(A& archive, T& nearest) {
  archive("why", nearest.why);
  archive("known", nearest.known);
  archive("sizes", nearest.sizes);
  archive("tunables", nearest.tunables);
}

template <class A, Like<UncertainCounts> T>
void describe(A& archive, T& counts) {
  archive("why", counts.why);
  archive("line", counts.line);
  archive("counters", counts.counters);
}

/// Values are checked as well as their form (messages.cpp).
void checkRead(worker::Reader& archive, const RunResult& result);
inline void checkRead(worker::Writer&, const RunResult&) {}

template <class A, Like<RunResult> T>
void describe(A& archive, T& r) {
  archive("kernel", r.kernel);
  archive("source", r.source);
  archive("assumed", r.assumed);
  archive("device", r.device);
  archive("compiler", r.compiler);
  archive("plan", r.plan);
  archive("sharedBytes", r.sharedBytes);
  archive("registers", r.registers);
  archive("localBytes", r.localBytes);
  archive("check", r.check);
  archive("checkNote", r.checkNote);
  archive("nothingToCompare", r.nothingToCompare);
  archive("outputHash", r.outputHash);
  archive("measurement", r.measurement);
  archive("counters", r.counters);
  archive("trace", r.trace);
  archive("traceFrom", r.traceFrom);
  archive("tracePrice", r.tracePrice);
  archive("traceNote", r.traceNote);
  archive("hazards", r.hazards);
  archive("faults", r.faults);
  archive("pictures", r.pictures);
  archive("wallSeconds", r.wallSeconds);
  archive("timeline", r.timeline);
  archive("timelineNote", r.timelineNote);
  archive("timings", r.timings);
  checkRead(archive, r.timings);
  archive("timingsNote", r.timingsNote);
  archive("machine", r.machine);
  archive("countingPrice", r.countingPrice);
  archive("hardware", r.hardware);
  archive("printed", r.printed);
  archive("printedAll", r.printedAll);
  archive("nearest", r.nearest);
  archive("countersFrom", r.countersFrom);
  archive("blockAlone", r.blockAlone);
  archive("machineCeilings", r.machineCeilings);
  archive("asyncCopies", r.asyncCopies);
  archive("uncertain", r.uncertain);
  archive("withoutAtomics", r.withoutAtomics);
  archive("isLaunch", r.isLaunch);
  archive("hasCostlyWork", r.hasCostlyWork);
  archive("kernelText", r.kernelText);
  archive("hasGivenData", r.hasGivenData);
  archive("given", r.given);
  archive("operation", r.operation);
  archive("question", r.question);
  checkRead(archive, r);
}

}  // namespace tilestep::lab

namespace tilestep::worker {

/// Figures of the devices are checked as well as their form (messages.cpp).
void checkRead(Reader& archive, const DevicesReply& reply);
inline void checkRead(Writer&, const DevicesReply&) {}

template <class A, Like<Hello> T>
void describe(A& archive, T& hello) {
  archive("version", hello.version);
}
template <class A, Like<RunRequest> T>
void describe(A& archive, T& run) {
  archive("experiment", run.experiment);
}
template <class A, Like<DevicesRequest> T>
void describe(A&, T&) {}
template <class A, Like<CeilingsRequest> T>
void describe(A& archive, T& ceilings) {
  archive("device", ceilings.device);
}
template <class A, Like<PtxRequest> T>
void describe(A& archive, T& ptx) {
  archive("experiment", ptx.experiment);
  archive("instrumented", ptx.instrumented);
}
template <class A, Like<CancelRequest> T>
void describe(A&, T&) {}
template <class A, Like<LiveRequest> T>
void describe(A& archive, T& live) {
  archive("experiment", live.experiment);
}
template <class A, Like<Stage> T>
void describe(A& archive, T& stage) {
  archive("stage", stage.stage);
  archive("fraction", stage.fraction);
}
template <class A, Like<Begun> T>
void describe(A&, T&) {}
template <class A, Like<Beat> T>
void describe(A&, T&) {}
template <class A, Like<DevicesReply> T>
void describe(A& archive, T& reply) {
  archive("devices", reply.devices);
  archive("compiler", reply.compiler);
  checkRead(archive, reply);
}

}  // namespace tilestep::worker
