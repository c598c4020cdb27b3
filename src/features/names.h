// SPDX-License-Identifier: Apache-2.0
// Features use the names of the model, and their panels those of the window's kit: the namespace of
// features contains both.
#pragma once

namespace tilestep::model {}
namespace tilestep::ui {}

namespace tilestep::features {
using namespace model;  // NOLINT(google-build-using-namespace)
using namespace ui;     // NOLINT(google-build-using-namespace)
}  // namespace tilestep::features
