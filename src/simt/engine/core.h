// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {

const Engine& engine();

}  // namespace tilestep::simt::TILESTEP_ENGINE
