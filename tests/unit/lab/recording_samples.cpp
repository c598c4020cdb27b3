// SPDX-License-Identifier: Apache-2.0
#include "unit/lab/recording_samples.h"

namespace tilestep::lab::sample {

trace::Counters epochCounters(uint64_t n) {
  trace::Counters c;
  c.globalLoad = {n + 1, n, n + 2, n + 4, n + 3};
  c.globalStore = {n + 6, n + 5, n + 7, n + 9, n + 8};
  c.sharedLoad = {n + 10, n + 12, n + 11};
  c.sharedStore = {n + 13, n + 15, n + 14};
  c.barriers = n + 16;
  c.ffma = n + 17;
  c.fadd = n + 18;
  c.fmul = n + 19;
  c.threadInstructions = n + 20;
  return c;
}

std::vector<trace::Counters> epochs(size_t phases) {
  std::vector<trace::Counters> all;
  for (size_t i = 0; i < phases; ++i) {
    all.push_back(epochCounters(100));
    all.push_back(epochCounters(200));
  }
  all.push_back(epochCounters(7));
  return all;
}

RecordedCounters counters(size_t phases) {
  RecordedCounters c;
  for (const trace::Counters& epoch : epochs(phases)) c.total += epoch;
  c.epochs = packEpochs(epochs(phases));
  c.copies = true;
  c.price = 2.5;
  return c;
}

trace::Timeline timeline() {
  trace::Timeline t;
  t.device = "cuda:0";
  t.tickNs = 32;
  t.multiprocessors = 2;
  t.maxWarps = 64;
  t.warpsPerBlock = 2;
  t.clockMhz = 1980;
  t.price = 1.25;
  t.registers = 31;
  t.plainRegisters = 32;
  t.phases = 1;
  t.epochsPerPhase = 2;
  t.sm = {1, 0};
  t.startNs = {0, 64};
  t.endNs = {96, 128};
  t.busyWarpCycles = {100, 120};
  t.waitWarpCycles = {20, 30};
  t.activeCycles = {130, 140};
  t.epochs = 2;
  t.epochStep = 2;
  t.epochBusy = {60, 40};
  t.epochWait = {20, 0};
  return t;
}

device::Measurement measurement(double medianMs) {
  device::Measurement m;
  m.medianMs = medianMs;
  m.minMs = medianMs * 0.99;
  m.p10Ms = medianMs * 0.995;
  m.p90Ms = medianMs * 1.01;
  m.repetitions = 40;
  m.clockMhz = 1980;
  m.spread = 0.015;
  m.batch = 100;
  m.powerWatts = 431.5;
  m.coldMedianMs = medianMs * 1.1;
  m.method = "means of batches";
  return m;
}

device::HardwareCounters hardware() {
  device::HardwareCounters h;
  h.figures = {{"dram_bytes_read", "dram__bytes_read.sum", Unit::bytes, 8388608},
               {"achieved_occupancy", "sm__warps_active.avg", Unit::ratio, 0.9375}};
  h.passes = 5;
  h.library = "CUPTI 13.0";
  return h;
}

RecordedPoint point(int64_t size, int64_t width, double medianMs) {
  RecordedPoint p;
  p.sizes = {{"k", size}, {"m", size}, {"n", size}};
  p.tunables = {{"TILE_WIDTH", width}};
  p.launchHash = ~uint64_t{0} - static_cast<uint64_t>(width);
  p.outputHash = 0xfedcba9876543210;
  p.unixSeconds = 1795000000 + size;
  p.compileMs = 41.25;
  p.sharedBytes = static_cast<uint32_t>(8 * width * width);
  p.registers = 32;
  p.localBytes = 0;
  p.machineCode = device::MachineFacts{0, {}, 8, "threads"};
  p.measurement = measurement(medianMs);
  p.counters = counters(static_cast<size_t>(size / width));
  return p;
}

device::DeviceInfo device() {
  device::DeviceInfo d;
  d.name = d.limits.device = "NVIDIA Test";
  d.computeCapability = "9.0";
  d.measures = true;
  d.driver = "580.1, CUDA 13.0";
  d.recordedOn = "2026-11-21";
  d.limits.sharedBytesPerBlockOptIn = 232448;
  d.limits.maxGrid = {2147483647, 65535, 65535};
  d.limits.memoryBytes = uint64_t{1} << 37;
  d.multiprocessors = 132;
  d.registersPerMultiprocessor = 65536;
  d.sharedBytesPerMultiprocessor = 233472;
  d.sharedBytesReservedPerBlock = 1024;
  d.threadsPerMultiprocessor = 2048;
  d.blocksPerMultiprocessor = 32;
  d.clockMhz = 1980;
  d.l2Bytes = 60000000;
  return d;
}

std::vector<RecordedMachine> machines() {
  device::Ceilings ceilings;
  ceilings.device = "NVIDIA Test";
  ceilings.origin = "measured 2026-11-21";
  ceilings.measured = true;
  ceilings.fp32FlopPerSecond = 6.5e13;
  return {{"NVIDIA Test", "0123456789abcdef", "580.1, CUDA 13.0", "2026-11-21T12:30:00Z", ceilings},
          {"NVIDIA Test", "", "580.1, CUDA 13.0", "2026-11-21T22:30:00Z", {}}};
}

DeviceRecording recording() {
  DeviceRecording r;
  r.device = device();
  r.ceilings.emplace();
  r.ceilings->device = r.device.name;
  r.ceilings->origin = "measured 2026-11-21";
  r.ceilings->measured = true;
  r.ceilings->dramBytesPerSecond = 4.5e12;
  r.ceilings->fp32FlopPerSecond = 6.5e13;
  r.compiler = {"nvrtc", "13.0", "compute_75"};
  r.program = "tilestep 0.1.0";
  r.method = "each point in turn";
  r.began = "2026-11-21T12:30:00Z";
  r.ended = "2026-11-21T12:38:00Z";
  r.kernels = {{"matmul_tiled", 0x123456789abcdef0, {"k", "m", "n"}, {"TILE_WIDTH"}}};
  r.points = {point(64, 16, 0.0051), point(64, 8, 0.0062), point(1024, 16, 0.2773)};
  r.points[0].hardware = hardware();
  r.points[0].timeline = timeline();
  r.points[0].timings = {{"events", "s", 30, 5e-6, 6e-6, 7e-6, 8e-6, 9e-5, "Two events."},
                         {"repeated", "s", 20, 4e-6, 5e-6, 5.1e-6, 5.2e-6, 6e-6, "Many."}};
  r.machines = machines();
  r.points[0].machine = 1;
  r.points[1].machine = 2;
  r.points[1].timelineNote = "it has 4,225 blocks; recordings keep timelines of at most 4,096";
  r.points[2].counters.reset();
  return r;
}

}  // namespace tilestep::lab::sample
