// SPDX-License-Identifier: Apache-2.0
#include "simt/special_rows.h"

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
      return place.sharedBytes;
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
  return name == ctaidX || name == ctaidY || name == ctaidZ;
}

bool isKnown(ptx::SpecialRegister name) {
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
