// SPDX-License-Identifier: Apache-2.0
#include "model/roofline_marks.h"

#include "lab/figures.h"
#include "metrics/coalescing.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {
namespace {

using metrics::RooflineWork;

/// Adds bytes from the hardware counters, for the levels that have such a counter.
void addHardware(RooflineWork& work, const lab::RunResult& result) {
  if (!result.hardware || !result.hardware->refused.empty()) return;
  const auto sum = [&](const char* read, const char* written,
                       uint64_t scale) -> std::optional<uint64_t> {
    const std::optional<double> both = result.hardware->sum(read, written);
    if (!both) return std::nullopt;
    return static_cast<uint64_t>(*both * static_cast<double>(scale));
  };
  work.l2Bytes = sum("l2_read_sectors", "l2_write_sectors", metrics::kSectorBytes);
  work.dramBytes = sum("dram_bytes_read", "dram_bytes_written", 1);
  work.sharedBytes =
      sum("shared_load_wavefronts", "shared_store_wavefronts", metrics::kWavefrontBytes);
  work.hardwareCold = result.hardware->caches == device::CacheState::cold;
  work.hardware = "the hardware counters of " + deviceText(result.device) + ", caches " +
                  (work.hardwareCold ? "cold" : "warm");
}

}  // namespace

bool loadsAreCounted(const lab::RunResult& result) {
  return !result.asyncCopies;
}

std::optional<DramRate> dramRateOf(const RooflineWork& work) {
  const uint64_t bytes = metrics::bytesAt(work, metrics::Level::dram);
  const std::optional<double> seconds = metrics::secondsAt(work, metrics::Level::dram);
  if (bytes == 0 || !seconds || *seconds <= 0) return std::nullopt;
  DramRate rate{"", static_cast<double>(bytes), *seconds, ""};
  const bool counted = work.dramBytes.has_value(), ofCold = !counted || work.hardwareCold;
  const bool cold = ofCold && work.coldSeconds;
  rate.from = counted ? "Bytes that DRAM read and wrote (" + work.hardware + ")"
                      : std::string("Every input read once and every output written once");
  rate.from += cold ? " over the median time of runs with cold caches."
                    : " over the time of the launch, with warm caches.";
  if (!counted) {
    rate.name = cold ? "DRAM, caches cold, at least" : "DRAM, if each buffer moves once";
    rate.from += " Hardware counters (C) show how many bytes DRAM moved.";
  } else if (ofCold && !cold) {
    rate.name = "DRAM, at most";
    rate.from += " With warm caches DRAM may move fewer bytes.";
  } else {
    rate.name = cold ? "DRAM, caches cold" : "DRAM, caches warm";
  }
  return rate;
}

RooflineWork rooflineWorkOf(const lab::RunResult& result, bool whatIf) {
  RooflineWork work;
  work.operations = result.plan.operations;
  work.compulsoryBytes = lab::compulsoryBytesOf(result.plan);
  const bool interpreted = result.device.id == "simt" || result.countersFrom == "simt";
  work.countedBy = interpreted ? "the interpreter" : deviceText(result.device);
  if (result.counters && loadsAreCounted(result)) {
    const trace::Counters& total = result.counters->total;
    work.askedBytes = total.globalLoad.bytes + total.globalStore.bytes;
    work.sectorBytes =
        (total.globalLoad.sectors + total.globalStore.sectors) * metrics::kSectorBytes;
  }
  if (whatIf) return work;
  if (result.measurement) {
    work.seconds = result.measurement->medianMs / 1e3;
    work.measuredOn = deviceText(result.device);
    if (!result.measurement->method.empty()) work.measuredOn += ", " + result.measurement->method;
    if (result.measurement->coldMedianMs) {
      work.coldSeconds = *result.measurement->coldMedianMs / 1e3;
      work.coldMeasuredOn = deviceText(result.device) +
                            ", median of single runs, each after the L2 cache was emptied";
    }
  }
  addHardware(work, result);
  return work;
}

}  // namespace tilestep::model
