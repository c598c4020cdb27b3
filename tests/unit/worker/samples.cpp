// SPDX-License-Identifier: Apache-2.0
#include "unit/worker/samples.h"

#include "unit/lab/recording_samples.h"
#include "unit/trace/toy_kernels.h"

namespace tilestep::worker::sample {

lab::Experiment experiment() {
  lab::Experiment e;
  e.source = {"kernels/x.cu", "/*--- ---*/\n__global__ void x() {} // µ\n", "title = \"x\""};
  e.sizes = {{"m", 100}, {"n", 37}, {"k", 61}};
  e.tunables = {{"TILE_WIDTH", 16}, {"OFFSET", -3}};
  e.device = "cuda:1";
  e.seed = ~uint64_t{0};
  e.order = 7;
  e.counters = true;
  e.measure = false;
  e.check = true;
  e.traceBlock = Dim3{1, 2, 3};
  e.pictureSide = 64;
  e.timeoutSeconds = 2.5;
  e.memoryBytes = uint64_t{3} << 30;
  e.timeline = e.timings = true;
  e.hardware = true;
  e.onlyRecorded = true;
  return e;
}

device::DeviceInfo deviceInfo() {
  device::DeviceInfo d;
  d.id = "cuda:1";
  d.name = "Some GPU";
  d.computeCapability = "9.0";
  d.measures = true;
  d.limits.device = "Some GPU";
  d.limits.sharedBytesPerBlockOptIn = 232448;
  d.limits.maxGrid = {1, 2, 3};
  d.limits.memoryBytes = uint64_t{1} << 40;
  d.limits.multiprocessors = 144;
  d.multiprocessors = 132;
  d.l2Bytes = 60000000;
  d.place = "0000:3b:00";
  d.driver = "580.159.04, CUDA 13.0";
  d.identity = "0123456789abcdef";
  d.recordedOn = "2026-11-21";
  d.machines = 3;
  d.machine = 2;
  return d;
}

trace::GridCounters counters() {
  trace::GridCounters c;
  c.total.globalLoad = {2, 1, 3, 5, 4};
  c.total.globalStore = {7, 6, 8, 10, 9};
  c.total.sharedLoad = {11, 13, 12};
  c.total.sharedStore = {14, 16, 15};
  c.total.barriers = 17;
  c.total.ffma = uint64_t{1} << 50;
  c.total.fadd = 18;
  c.total.fmul = 19;
  c.total.threadInstructions = 20;
  c.total.warpInstructions = 21;
  c.total.branches = 22;
  c.epochs = {c.total, trace::Counters{}};
  c.epochsTruncated = true;
  return c;
}

device::LiveBatch liveBatch() {
  return {1234.5, {0, 1.5F, 3.25F}, {0.5F, 0.75F, 0.625F}, 4, 12, 7, 1980.5};
}

lab::RunResult result() {
  lab::RunResult r;
  r.kernel = "x";
  r.source = "kernels/x.cu";
  r.device = deviceInfo();
  r.compiler = {"nvrtc", "13.0", "compute_75", 41.25};
  r.plan.bindings = {{"m", 4}};
  r.plan.sizes = {{"m", 4}};
  r.plan.tunables = {{"TILE_WIDTH", 4}};
  compile::ResolvedOperand operand;
  operand.spec.name = "M";
  operand.spec.type = ElementType::f16;
  operand.spec.direction = Direction::inout;
  operand.spec.fill = Fill::index;
  operand.spec.rows = "m";
  operand.rows = operand.columns = 4;
  operand.elements = 16;
  operand.scalar = -1;
  r.plan.operands = {operand, {}, {}};
  r.plan.launches = {{"x", {1, 2, 3}, {4, 4, 1}, 2048}};
  r.plan.operations = 2e9;
  r.plan.phases = 4;
  r.plan.phaseLength = 16;
  r.plan.shared = {{"Mds", "M", 4, 4, -1}};
  r.sharedBytes = 2048;
  r.registers = 32;
  r.check =
      lab::Check{"float64", 2.1e-8, 7.5e-6, 3, false, 0, lab::WrongElement{0, 7, true, 3, 8}, 5, 9};
  r.checkNote = "the launch was stopped";
  r.outputHash = 0xfedcba9876543210;
  r.measurement = device::Measurement{true, 1.5, 1.25, 1.3, 1.75, 100, 1980};
  r.counters = counters();
  r.trace = trace::toy::tiled(8, 4);
  r.traceFrom = "simt";
  r.traceOverhead = 1.25;
  r.traceNote = "why not";
  device::Hazard hazard{"read-after-write", "shared", {12, {1, 2, 3}, {4, 5, 6}},
                        {13, {}, {}},       2,        9};
  r.hazards = std::vector<device::Hazard>{hazard};
  r.faults = {{"out-of-bounds", {9, {1, 1, 0}, {0, 0, 0}}, uint64_t{1} << 44, 3, "past the end"}};
  r.pictures = {{2, 100, 100, 1, 3, {1.5F, -2.0F, 3.25F}}};
  r.wallSeconds = 0.125;
  r.timeline = lab::sample::timeline();
  r.timeline->device = r.device.id;
  r.timelineNote = "none";
  r.timings = {{"clock-synchronized", "s", 30, 1e-5, 1.1e-5, 1.25e-5, 2e-5, 3e-4, "A clock."},
               {"events", "s", 29, 4e-6, 5e-6, 6e-6, 7e-6, 8e-6, "Two events."}};
  r.timingsNote = "why none";
  r.countingOverhead = 1.75;
  r.hardware =
      device::HardwareCounters{{{"dram_bytes_read", "dram__bytes_read.sum", Unit::bytes, 8388608}},
                               7,
                               device::CacheState::warm,
                               "CUPTI 13.0",
                               "why"};
  r.nearest = lab::Nearest{"not recorded", true, {{"m", 64}}, {{"TILE_WIDTH", 8}}};
  r.countersFrom = "simt";
  r.uncertain = {{lab::UncertainCounts::Why::meets, 7, {"global_load_requests"}}};
  r.withoutAtomics = {"shared_load_requests"};
  return r;
}

}  // namespace tilestep::worker::sample
