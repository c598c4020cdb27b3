// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/archive.h"
#include "compile/program_source.h"
#include "device/live.h"
#include "lab/experiment.h"

/// The fields, with their bounds, of every struct that is exchanged with a worker or stored in a
/// recording (base/archive.h). The bounds are enforced on reading, so that indices stay inside
/// their lists, products finite and loops short.
namespace tilestep {

void describe(Archive& io, TextLocation& value);
void describe(Archive& io, Error& value);
void describe(Archive& io, Launch& value);
void describe(Archive& io, Limits& value);

}  // namespace tilestep

namespace tilestep::compile {

void describe(Archive& io, ProgramSource& value);
void describe(Archive& io, ProgramLaunch& value);
void describe(Archive& io, KernelSource& value);
void describe(Archive& io, Assumption& value);
void describe(Archive& io, FieldSpec& value);
void describe(Archive& io, OperandSpec& value);
void describe(Archive& io, ResolvedOperand& value);
void describe(Archive& io, Plan::Shared& value);
void describe(Archive& io, Plan& value);

}  // namespace tilestep::compile

namespace tilestep::device {

void describe(Archive& io, DeviceInfo& value);
void describe(Archive& io, ByteSpan& value);
void describe(Archive& io, MemoryRange& value);
void describe(Archive& io, CapturedLaunch& value);
void describe(Archive& io, Measurement& value);
void describe(Archive& io, MachineFacts& value);
void describe(Archive& io, HardwareFigure& value);
void describe(Archive& io, HardwareCounters& value);
void describe(Archive& io, AccessSite& value);
void describe(Archive& io, Printed& value);
void describe(Archive& io, Hazard& value);
void describe(Archive& io, Fault& value);
void describe(Archive& io, NamedValue& value);
void describe(Archive& io, LiveBatch& value);
void describe(Archive& io, Ceilings& value);
void describe(Archive& io, RunOptions& value);
void describe(Archive& io, Observations& value);

}  // namespace tilestep::device

namespace tilestep::trace {

void describe(Archive& io, BlockTrace& value);
void describe(Archive& io, Timeline& value);
void describe(Archive& io, std::vector<Counters>& value);
void describe(Archive& io, GridCounters& value);

}  // namespace tilestep::trace

namespace tilestep::lab {

void describe(Archive& io, Experiment& value);
void describe(Archive& io, CompilerInfo& value);
void describe(Archive& io, WrongElement& value);
void describe(Archive& io, Check& value);
void describe(Archive& io, Picture& value);
void describe(Archive& io, Nearest& value);
void describe(Archive& io, UncertainCounts& value);
void describe(Archive& io, RunResult& value);

}  // namespace tilestep::lab
