// SPDX-License-Identifier: Apache-2.0
// Converts pinned runs to TOML and back.
#include <array>
#include <charconv>
#include <limits>

#include "base/figure_range.h"
#include "base/hash.h"
#include "model/choice/pins.h"
#include "model/files/toml_archive.h"

namespace tilestep::model {
namespace {

constexpr size_t kMostNames = 64;  ///< The most sizes or tunables.
constexpr int64_t kMost64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMost32 = std::numeric_limits<uint32_t>::max();
constexpr double kMostPinnedOperations = 1e24;
constexpr std::array<const char*, kPinOrigins> kOrigins{"measured", "recorded", "interpreter"};

void describeHex(Archive& io, const std::string& key, uint64_t& value) {
  const std::string wrong = key + " must be sixteen hexadecimal digits";
  std::string text = hex64(value);
  io.need(key, wrong);
  io(key, text, wrong);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  io.check(text.size() == 16 && error == std::errc() && stop == end, key, wrong);
}

/// Describes a required number.
void describeReal(Archive& io, const std::string& key, double& value, double low, double high) {
  io.need(key, key + " is missing");
  io(key, value, low, high);
}

void describe(Archive& io, const std::string& key, compile::Bindings& values) {
  const std::string wrong = key + " must be a table of at most 64 names";
  const std::string wrongOne = "each of the " + key + " must be a name and a whole number";
  const auto body = [&](Archive& in) {
    in.each(values, kMostNames, wrong, [&](const std::string& name, int64_t& value) {
      in.check(!name.empty() && name.size() <= Archive::kLongestText, name, wrongOne);
      in(name, value, std::numeric_limits<int64_t>::min(), kMost64, wrongOne);
    });
  };
  io.need(key, wrong);
  io.table(key, body, {.wrong = wrong});
}

void describe(Archive& io, metrics::RooflineWork& work) {
  describeReal(io, "operations", work.operations, 0, kMostPinnedOperations);
  io("asked_bytes", work.askedBytes, 0, kMost64);
  io("sector_bytes", work.sectorBytes, 0, kMost64);
  io("compulsory_bytes", work.compulsoryBytes, 0, kMost64);
  io("counted_by", work.countedBy);
  io("hardware", work.hardware);
  io("hardware_cold", work.hardwareCold);
  io("measured_on", work.measuredOn);
  io("cold_measured_on", work.coldMeasuredOn);
  io("l2_bytes", work.l2Bytes, 0, kMost64);
  io("dram_bytes", work.dramBytes, 0, kMost64);
  io("shared_bytes", work.sharedBytes, 0, kMost64);
}

void describe(Archive& io, PinnedTime& time) {
  const auto [kLeastMs, kMostMs] = kMilliseconds;
  describeReal(io, "median_ms", time.medianMs, kLeastMs, kMostMs);
  describeReal(io, "min_ms", time.minMs, kLeastMs, kMostMs);
  describeReal(io, "p10_ms", time.p10Ms, kLeastMs, kMostMs);
  describeReal(io, "p90_ms", time.p90Ms, kLeastMs, kMostMs);
  io.check(time.minMs <= time.p10Ms && time.p10Ms <= time.medianMs && time.medianMs <= time.p90Ms,
           "median_ms", "min_ms, p10_ms, median_ms and p90_ms must be in ascending order");
  io("repetitions", time.repetitions, 0, kMost32);
  io("batch", time.batch, 1, kMost32);
  io("method", time.method);
  io("cold_median_ms", time.coldMedianMs, kLeastMs, kMostMs);
}

void describeWhat(Archive& io, Pin& pin) {
  describeHex(io, "id", pin.id);
  io("name", pin.name);
  io.check(!pin.name.empty(), "name", "name is empty");
  io("colour", pin.colour, 0, kPinColours - 1);
  io("pinned", pin.pinned);
  io("kernel", pin.kernel);
  io.check(!pin.kernel.empty(), "kernel", "kernel is empty");
  io("file", pin.kernelFile);
  if (io.has("entry", !pin.entry.empty())) io("entry", pin.entry);
  describeHex(io, "code", pin.codeHash);
  describe(io, "sizes", pin.sizes);
  describe(io, "tunables", pin.tunables);
  io("grid", pin.grid, 1, "extents");
  io("block", pin.block, 1, "extents");
}

void describeMachine(Archive& io, Pin& pin) {
  constexpr int64_t kMostMachines = 1 << 20;
  io("device", pin.device);
  io("device_name", pin.deviceName);
  io("driver", pin.driver);
  if (io.has("gpu", !pin.identity.empty())) io("gpu", pin.identity);
  if (io.has("machines", pin.machines > 0)) io("machines", pin.machines, 0, kMostMachines);
  if (io.has("machine", pin.machines > 0)) io("machine", pin.machineNumber, 0, pin.machines);
}

/// `all` contains `pin`.
void describe(Archive& io, Pin& pin, const Pins& all) {
  const std::string noWork = "work must be present and a table";
  describeWhat(io, pin);
  io.check(pin.id != 0 && all.find(pin.id) == &pin, "id",
           "id is 0, or another run has the same id");
  describeMachine(io, pin);
  io.need("origin", "origin must be one of: measured, recorded, interpreter");
  io("origin", pin.origin, kOrigins);
  io("made_on", pin.madeOn);
  io("shared_bytes", pin.sharedBytes, 0, kMost32);
  io("registers", pin.registers, 0, kMost32);
  io("occupancy", pin.occupancy, 0, 1);
  io("achieved", pin.achieved, 0, 1);
  io.need("work", noWork);
  io.table("work", [&](Archive& in) { describe(in, pin.work); }, {.wrong = noWork});
  if (io.has("time", pin.time.has_value()))
    io.table("time", [&](Archive& in) { describe(in, pin.time ? *pin.time : pin.time.emplace()); },
             {.wrong = "time must be a table"});
  io.check(!pin.time || pin.origin != PinOrigin::interpreter, "time",
           "the interpreter gives no times, so its runs have none");
}

void describe(Archive& io, Pins& pins) {
  describeVersion(io, Pins::kVersion);
  io.list("run", pins.pins, kMostPins, [&](Archive& in, Pin& pin) { describe(in, pin, pins); });
  if (io.has("base", pins.base != 0)) describeHex(io, "base", pins.base);
}

}  // namespace

std::string toToml(const Pins& pins) {
  Pins copy = pins;
  return toTomlText(
      "# The runs that were pinned in Tilestep's window. A damaged file is renamed.\n",
      [&](Archive& io) { describe(io, copy); });
}

Result<Pins> parsePins(std::string_view text, const std::string& file) {
  Pins pins;
  const Status read = readToml(text, file, [&](Archive& io) { describe(io, pins); });
  if (!read) return read.error();
  return pins;
}

}  // namespace tilestep::model
