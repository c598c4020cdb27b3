// SPDX-License-Identifier: Apache-2.0
#include "simt/run/special_rows.h"

#include <cstring>

namespace tilestep::simt {
namespace {

using enum ptx::SpecialRegister;

uint32_t ofThread(ptx::SpecialRegister name, const Dim3& shape, uint32_t number) {
  const uint32_t lane = number % kLanes;
  switch (name) {
    case tidX:
      return threadAt(shape, number).x;
    case tidY:
      return threadAt(shape, number).y;
    case tidZ:
      return threadAt(shape, number).z;
    case laneid:
      return lane;
    case lanemaskEq:
      return 1u << lane;
    case lanemaskLt:
      return (1u << lane) - 1;
    case lanemaskLe:
      return (2u << lane) - 1;
    case lanemaskGt:
      return ~((2u << lane) - 1);
    case lanemaskGe:
      return ~((1u << lane) - 1);
    default:
      return 0;
  }
}

uint32_t ofBlock(ptx::SpecialRegister name, const BlockPlace& place) {
  const Launch& launch = place.launch;
  switch (name) {
    case ntidX:
      return launch.block.x;
    case ntidY:
      return launch.block.y;
    case ntidZ:
      return launch.block.z;
    case nctaidX:
      return launch.grid.x;
    case nctaidY:
      return launch.grid.y;
    case nctaidZ:
      return launch.grid.z;
    case ctaidX:
      return place.block.x;
    case ctaidY:
      return place.block.y;
    case ctaidZ:
      return place.block.z;
    case warpid:
      return place.warp;
    case nwarpid:
      return static_cast<uint32_t>(ceilDiv(launch.block.count(), kLanes));
    case nsmid:
      return 1;
    case dynamicSmemSize:
      return launch.dynamicSharedBytes;
    case totalSmemSize:
    case aggrSmemSize:
      return place.sharedBytes;
    // As read by cooperative_groups/details/driver_abi.h.
    case envreg1:
      return static_cast<uint32_t>(place.workspace >> 32);
    case envreg2:
      return static_cast<uint32_t>(place.workspace);
    // Each block is a cluster.
    case clusteridX:
      return place.block.x;
    case clusteridY:
      return place.block.y;
    case clusteridZ:
      return place.block.z;
    case nclusteridX:
      return launch.grid.x;
    case nclusteridY:
      return launch.grid.y;
    case nclusteridZ:
      return launch.grid.z;
    case clusterNctaidX:
    case clusterNctaidY:
    case clusterNctaidZ:
    case clusterNctarank:
      return 1;
    default:
      return 0;
  }
}

bool isOfThread(ptx::SpecialRegister name) {
  switch (name) {
    case tidX:
    case tidY:
    case tidZ:
    case laneid:
    case lanemaskEq:
    case lanemaskLt:
    case lanemaskLe:
    case lanemaskGt:
    case lanemaskGe:
      return true;
    default:
      return false;
  }
}

}  // namespace

Dim3 threadAt(const Dim3& shape, uint32_t number) {
  return {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
}

bool changesByBlock(ptx::SpecialRegister name) {
  return name == ctaidX || name == ctaidY || name == ctaidZ || name == clusteridX ||
         name == clusteridY || name == clusteridZ;
}

bool isClock(ptx::SpecialRegister name) {
  return name == clock || name == clockHi || name == clock64 || name == globaltimer ||
         name == globaltimerLo || name == globaltimerHi;
}

bool isWideSpecial(ptx::SpecialRegister name) {
  return name == clock64 || name == globaltimer;
}

bool isKnown(ptx::SpecialRegister name) {
  if (name >= envreg0 && name <= envreg31) return true;
  switch (name) {
    case tidX:
    case tidY:
    case tidZ:
    case ntidX:
    case ntidY:
    case ntidZ:
    case ctaidX:
    case ctaidY:
    case ctaidZ:
    case nctaidX:
    case nctaidY:
    case nctaidZ:
    case laneid:
    case warpid:
    case nwarpid:
    case smid:
    case nsmid:
    case gridid:
    case lanemaskEq:
    case lanemaskLt:
    case lanemaskLe:
    case lanemaskGt:
    case lanemaskGe:
    case dynamicSmemSize:
    case totalSmemSize:
    case aggrSmemSize:
    case isExplicitCluster:
    case clusteridX:
    case clusteridY:
    case clusteridZ:
    case nclusteridX:
    case nclusteridY:
    case nclusteridZ:
    case clusterCtaidX:
    case clusterCtaidY:
    case clusterCtaidZ:
    case clusterNctaidX:
    case clusterNctaidY:
    case clusterNctaidZ:
    case clusterCtarank:
    case clusterNctarank:
      return true;
    default:
      return false;
  }
}

void fillSpecialRow(uint8_t* row, ptx::SpecialRegister name, const BlockPlace& place) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t value = isOfThread(name)
                               ? ofThread(name, place.launch.block, place.warp * kLanes + lane)
                               : ofBlock(name, place);
    std::memcpy(row + 4 * lane, &value, 4);
  }
}

}  // namespace tilestep::simt
