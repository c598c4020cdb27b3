// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "features/sweeps/sweep_samples.h"

/// Samples and files of sweeps for the tests of this folder.
namespace tilestep::features {

inline device::Measurement timeOf(double median, double p10, double p90, uint32_t samples = 20) {
  device::Measurement time;
  time.medianMs = median;
  time.minMs = time.p10Ms = p10;
  time.p90Ms = p90;
  time.repetitions = samples;
  return time;
}
inline device::Measurement timeOf(double ms) {
  return timeOf(ms, ms, ms);
}

/// Hardware counters with these shared wavefronts, and 1e9 bytes of L2 and of DRAM.
inline device::HardwareCounters hardwareOf(double sharedWavefronts) {
  device::HardwareCounters counters;
  for (const auto& [name, value] : {std::pair{"shared_load_wavefronts", sharedWavefronts},
                                    {"shared_store_wavefronts", 0.0},
                                    {"l2_read_sectors", 1e9 / 32},
                                    {"l2_write_sectors", 0.0},
                                    {"dram_bytes_read", 1e9},
                                    {"dram_bytes_written", 0.0}})
    counters.figures.push_back({.name = name, .value = value});
  return counters;
}

inline trace::Counters someCounts() {
  trace::Counters counts;
  for (uint64_t i = 0; i < kKeptCounts.size(); ++i) kKeptCounts[i].of(counts) = i + 1;
  return counts;
}

/// Three points of matmul_tiled, as earlier versions of the window kept them: TILE_WIDTH 8 was
/// timed, 16 was counted, too, and 32 failed.
inline std::string keptCsv() {
  std::string text =
      "kernel,device,m,n,k,TILE_WIDTH,status,median_ms,min_ms,p10_ms,p90_ms,repetitions,"
      "global_load_bytes,global_store_threads,global_load_requests,global_store_requests,"
      "global_load_sectors,global_store_sectors,shared_load_requests,shared_store_requests,"
      "shared_load_wavefronts,shared_store_wavefronts,reason,format,device_name,code,launch,when,"
      "by,check\n";
  for (const auto& [width, status, figures, reason] :
       {std::tuple{"8", "ok", "0.0333,0.03,0.0331,0.0345,20,,,,,,,,,,", ""},
        {"16", "ok", "0.0333,0.03,0.0331,0.0345,20,1,2,3,4,5,6,7,8,9,10", ""},
        {"32", "failed", ",,,,,,,,,,,,,,", "\"it ended, with a comma\""}}) {
    const std::string line = std::string("matmul_tiled,cuda:0,1024,1024,1024,") + width + "," +
                             status + "," + figures + "," + reason +
                             ",1,NVIDIA H200,0123456789abcdef,000000000000002a,2026-11-21,"
                             "\"nvrtc 13.0, driver 580\"";
    text += line + ",0123456789abcdef\n";
  }
  return text;
}

}  // namespace tilestep::features
