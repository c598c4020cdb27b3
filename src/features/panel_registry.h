// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/section.h"

namespace tilestep::features {

/// The sections of the measures, in the order of features.def.
[[nodiscard]] ui::Sections makeSections();

}  // namespace tilestep::features
