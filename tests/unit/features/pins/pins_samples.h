// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "model/choice/pins.h"

namespace tilestep::features {

/// A measured run with every field set.
inline Pin samplePin(uint64_t id, double medianMs = 0.2775) {
  Pin pin;
  pin.id = id;
  pin.name = "tiled \"16\" · " + std::to_string(id);
  pin.colour = static_cast<unsigned>(id % kPinColours);
  pin.pinned = "2026-11-21T15:02:11Z";
  pin.kernel = "matmul_tiled";
  pin.kernelFile = "/home/a b/matmul_tiled.cu";
  pin.codeHash = 0xFEDCBA9876543210U;
  pin.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  pin.tunables = {{"TILE_WIDTH", 16}};
  pin.grid = {64, 64, 1};
  pin.block = {16, 16, 1};
  pin.device = "cuda:0";
  pin.deviceName = "NVIDIA H200";
  pin.driver = "580.159.04, CUDA 13.0";
  pin.identity = "5e7fe4d055a36794";
  pin.machines = 3;
  pin.machineNumber = 2;
  pin.origin = PinOrigin::measured;
  pin.madeOn = "2026-11-21";
  pin.time =
      PinnedTime{medianMs, medianMs * 0.998, medianMs * 0.999,          medianMs * 1.001, 272,
                 4,        medianMs * 1.02,  "median of 272 means of 4"};
  pin.work.operations = 2147483648.0;
  pin.work.askedBytes = 541065216;
  pin.work.sectorBytes = 541065216;
  pin.work.compulsoryBytes = 12582912;
  pin.work.l2Bytes = 447841696;
  pin.work.dramBytes = 8422656;
  pin.work.sharedBytes = 6979321856;
  pin.work.hardwareCold = true;
  pin.work.hardware = "the hardware counters of NVIDIA H200, caches cold";
  pin.work.countedBy = "NVIDIA H200";
  pin.work.measuredOn = "NVIDIA H200";
  pin.work.coldMeasuredOn = "NVIDIA H200, cold";
  pin.registers = 32;
  pin.sharedBytes = 2048;
  pin.occupancy = 1;
  pin.achieved = 0.908;
  return pin;
}

/// A run counted by the interpreter, without a time.
inline Pin countedPin(uint64_t id) {
  Pin pin = samplePin(id);
  pin.origin = PinOrigin::interpreter;
  pin.time.reset();
  pin.device = "simt";
  pin.deviceName = "SIMT interpreter";
  pin.driver.clear();
  pin.work.l2Bytes.reset();
  pin.work.dramBytes.reset();
  pin.work.sharedBytes.reset();
  pin.registers.reset();
  pin.occupancy.reset();
  pin.achieved.reset();
  return pin;
}

}  // namespace tilestep::features
