// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unit/trace/toy_kernels.h"
#include "worker/messages.h"

/// Messages with a distinct value in every field.
namespace tilestep::worker::sample {

lab::Experiment experiment();

device::DeviceInfo deviceInfo();

trace::GridCounters counters();

device::LiveBatch liveBatch();

lab::RunResult result();

}  // namespace tilestep::worker::sample
