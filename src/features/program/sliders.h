// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compile/text/text_constants.h"
#include "features/names.h"
#include "features/program/outcomes.h"
#include "features/program/view.h"

namespace tilestep::features {

/// Adds a slider to the view for each constant of the text. Marks values with which the program is
/// known to fail with these arguments.
void addSliders(const std::shared_ptr<const std::string>& text,
                const std::vector<compile::TextConstant>& constants, const Outcomes& outcomes,
                const std::string& arguments, ProgramView& view);

}  // namespace tilestep::features
