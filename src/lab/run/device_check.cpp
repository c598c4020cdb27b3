// SPDX-License-Identifier: Apache-2.0
#include "lab/run/device_check.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "device/ceiling_keys.h"

namespace tilestep::lab {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 50;
constexpr uint32_t kMostMultiprocessors = 1 << 16, kMostRegisters = 1 << 20;
constexpr uint32_t kMostThreads = 1 << 14, kMostBlocks = 1 << 12, kMostSharedBytes = 1 << 24;
constexpr uint32_t kMostMachines = 1 << 16, kMostExtent = UINT32_C(1) << 31;
constexpr uint32_t kMostRegistersOfThread = 1 << 16;
constexpr size_t kMostFigures = 1 << 16;

Status notInRange(const std::string& what, const FigureRange& range, const char* unit) {
  char text[96];
  std::snprintf(text, sizeof text, " is not from %g to %g%s", range.least, range.most, unit);
  return workError(what + text);
}

/// Also as it is shown, with signs that have no glyph written out.
bool isTooLong(const std::string& text) {
  return text.size() > kMostDeviceText || printable(text).size() > kMostDeviceText;
}

struct Figure {
  const char* name;
  uint64_t value, most;
};

}  // namespace

Status checkDevice(const device::DeviceInfo& device) {
  for (const std::string* text : {&device.id, &device.name, &device.place, &device.driver,
                                  &device.identity, &device.recordedOn, &device.limits.device}) {
    if (isTooLong(*text)) return workError("a text about a device is too long");
  }
  if (isTooLong(device.computeCapability.value_or("")))
    return workError("a text about a device is too long");
  const Limits& limits = device.limits;
  const Figure figures[] = {
      {"multiprocessors", device.multiprocessors, kMostMultiprocessors},
      {"multiprocessors", limits.multiprocessors, kMostMultiprocessors},
      {"registers a multiprocessor", device.registersPerMultiprocessor, kMostRegisters},
      {"shared bytes a multiprocessor", device.sharedBytesPerMultiprocessor, kMostSharedBytes},
      {"reserved shared bytes a block", device.sharedBytesReservedPerBlock, kMostSharedBytes},
      {"threads a multiprocessor", device.threadsPerMultiprocessor, kMostThreads},
      {"blocks a multiprocessor", device.blocksPerMultiprocessor, kMostBlocks},
      {"MHz", device.clockMhz, static_cast<uint64_t>(kMegahertz.most)},
      {"bytes of L2 cache", device.l2Bytes, kMostBytes},
      {"bytes of memory", limits.memoryBytes, kMostBytes},
      {"threads a block", limits.threadsPerBlock, kMostThreads},
      {"shared bytes a block", limits.sharedBytesPerBlock, kMostSharedBytes},
      {"shared bytes a block", limits.sharedBytesPerBlockOptIn, kMostSharedBytes},
      {"threads along a side of a block", limits.maxBlock.x, kMostExtent},
      {"threads along a side of a block", limits.maxBlock.y, kMostExtent},
      {"threads along a side of a block", limits.maxBlock.z, kMostExtent},
      {"blocks along a side of a grid", limits.maxGrid.x, kMostExtent},
      {"blocks along a side of a grid", limits.maxGrid.y, kMostExtent},
      {"blocks along a side of a grid", limits.maxGrid.z, kMostExtent},
      {"machines", device.machines, kMostMachines},
      {"machines", device.machine, kMostMachines},
  };
  for (const Figure& figure : figures) {
    if (figure.value <= figure.most) continue;
    return workError("the device " + device.name + " has " + std::to_string(figure.value) + " " +
                     figure.name + ", and no device has more than " + std::to_string(figure.most));
  }
  return {};
}

Status checkCeilings(const device::Ceilings& ceilings) {
  for (const std::string* text : {&ceilings.device, &ceilings.origin}) {
    if (isTooLong(*text)) return workError("a text about ceilings is too long");
  }
  for (const device::CeilingKey& key : device::kCeilingKeys) {
    const std::optional<double>& value = ceilings.*key.value;
    const bool isRate = std::string_view(key.key).ends_with("_per_second");
    const FigureRange range = isRate ? kPerSecond : kSeconds;
    if (value && !range.holds(*value))
      return notInRange(std::string("the ceiling ") + key.key, range, "");
  }
  return ceilings.facts ? checkDevice(*ceilings.facts) : Status();
}

Status checkMeasurement(const device::Measurement& m) {
  for (const double ms : {m.medianMs, m.minMs, m.p10Ms, m.p90Ms, m.coldMedianMs.value_or(1)}) {
    if (!kMilliseconds.holds(ms)) return notInRange("a time", kMilliseconds, " ms");
  }
  if (m.minMs > m.p10Ms || m.p10Ms > m.medianMs || m.medianMs > m.p90Ms)
    return workError("its times are not in order: min, p10, median, p90");
  if (m.repetitions == 0 || m.batch == 0) return workError("its time has no samples");
  // Of times that are in range.
  if (!(m.spread >= 0 && m.spread <= kMilliseconds.most / kMilliseconds.least))
    return workError("its spread is below 0 or too large");
  if (m.clockMhz && !kMegahertz.holds(*m.clockMhz))
    return notInRange("its clock", kMegahertz, " MHz");
  if (m.powerWatts && !kWatts.holds(*m.powerWatts)) return notInRange("its power", kWatts, " W");
  return {};
}

Status checkHardware(const device::HardwareCounters& hardware) {
  if (hardware.figures.size() > kMostFigures)
    return workError("there are more hardware counters than a GPU has");
  for (const device::HardwareFigure& figure : hardware.figures)
    if (!kHardwareFigure.holdsOrIsZero(figure.value))
      return workError("the hardware counter " + figure.name + " is not a count");
  return {};
}

Status checkMachineCode(const std::optional<device::MachineFacts>& facts,
                        const std::optional<uint32_t>& registers) {
  if (registers.value_or(0) > kMostRegistersOfThread)
    return workError("a thread has more registers than a multiprocessor");
  if (facts && facts->activeBlocks > kMostBlocks)
    return workError("more blocks reside on a multiprocessor than any device holds");
  return {};
}

}  // namespace tilestep::lab
