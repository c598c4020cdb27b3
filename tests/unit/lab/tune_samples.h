// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/kernel.h"
#include "device/device.h"

namespace tilestep::lab {

/// A product with tunables A and B (values) and C (a range), whose block has A x B threads.
inline compile::KernelSpec tunableSpec() {
  compile::KernelSpec spec;
  spec.name = "product";
  spec.sizes = {{"n", 4096}};
  spec.sizeOrder = {"n"};
  spec.operations = "2 * n * n * n";
  spec.rules = {{"A * B <= 1024", "{A} x {B} are {A * B} threads"}};
  compile::TunableSpec a, b, c;
  a.name = "A";
  a.values = {4, 8, 16, 32, 64};
  a.defaultValue = 16;
  b = a;
  b.name = "B";
  c.name = "C";
  c.minimum = 1;
  c.maximum = 40;
  c.defaultValue = 5;
  spec.tunables = {a, b, c};
  compile::LaunchSpec launch;
  launch.block = {"A", "B"};
  launch.grid = {"ceildiv(n, A)", "ceildiv(n, B)"};
  spec.launches = {launch};
  return spec;
}

inline device::DeviceInfo tuningDevice() {
  device::DeviceInfo info;
  info.id = "cuda:0";
  info.name = "Some GPU";
  info.computeCapability = "9.0";
  info.measures = true;
  info.multiprocessors = 132;
  info.registersPerMultiprocessor = 65536;
  info.sharedBytesPerMultiprocessor = 233472;
  info.sharedBytesReservedPerBlock = 1024;
  info.threadsPerMultiprocessor = 2048;
  info.blocksPerMultiprocessor = 32;
  info.limits.sharedBytesPerBlockOptIn = 232448;
  return info;
}

}  // namespace tilestep::lab
