// SPDX-License-Identifier: Apache-2.0
// A feature is written in the model's terms, and its panel in those of the window's kit: the
// namespace of features sees the names of both.
#pragma once

namespace tilestep::model {}
namespace tilestep::ui {}

namespace tilestep::features {
using namespace model;  // NOLINT(google-build-using-namespace)
using namespace ui;     // NOLINT(google-build-using-namespace)
}  // namespace tilestep::features
