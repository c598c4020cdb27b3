// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {

/// This copy of the core.
const Engine& engine();

}  // namespace tilestep::simt::TILESTEP_ENGINE
