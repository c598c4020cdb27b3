// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/command.h"

namespace tilestep::model {

struct Model;

/// Runs the commands that belong to no feature: `choice.…` (kernel, sizes, device, block),
/// `steps.…`, `figures.…` (measuring and counting) and `notices.…`. False if the command had no
/// effect.
bool applyShared(const Command& command, Model& model);

}  // namespace tilestep::model
