// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit/trace/toy_kernels.h"
#include "worker/messages.h"

/// Messages with every field set to something of its own.
namespace tilestep::worker::sample {

lab::Experiment experiment();

device::DeviceInfo deviceInfo();

trace::GridCounters counters();

device::LiveBatch liveBatch();

lab::RunResult result();

}  // namespace tilestep::worker::sample
