// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "features/sweeps/sweep_store.h"

/// Rows of a sweep's file for the tests of this folder.
namespace tilestep::model {

inline const std::vector<std::string> kSizesAndTunables{"m", "n", "k", "TILE_WIDTH"};

inline SweepFileRow row(int64_t width) {
  SweepFileRow one;
  one.kernel = "matmul_tiled";
  one.device = "cuda:0";
  one.deviceName = "NVIDIA H200";
  one.values = {{"m", 1024}, {"n", 1024}, {"k", 1024}, {"TILE_WIDTH", width}};
  one.code = 0x0123456789abcdefULL;
  one.launch = 42 + static_cast<uint64_t>(width);
  one.sample.time = SweepTime{0.1 / 3, 0.03, 0.0331, 0.0345, 20};
  one.sample.when = "2026-11-21";
  one.sample.by = "nvrtc 13.0, driver \"580\", CUDA 13.0";
  return one;
}

inline std::vector<SweepFileRow> rows() {
  std::vector<SweepFileRow> all{row(8), row(16), row(32)};
  all[1].sample.counts = SweepCounts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  all[2].sample.time.reset();
  all[2].sample.reason = "it ended, with a comma";
  return all;
}

inline std::string textOf(const std::vector<SweepFileRow>& all) {
  std::string text = sweepFileHeader(kSizesAndTunables);
  for (const SweepFileRow& one : all) text += sweepFileLine(kSizesAndTunables, one);
  return text;
}

}  // namespace tilestep::model
