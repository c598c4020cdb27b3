// SPDX-License-Identifier: Apache-2.0
// Lets features use names of the model, and panels names of the window's kit, without prefixes.
#pragma once

namespace tilestep::model {}
namespace tilestep::ui {}

namespace tilestep::features {
using namespace model;  // NOLINT(google-build-using-namespace)
using namespace ui;     // NOLINT(google-build-using-namespace)
}  // namespace tilestep::features
