// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "features/roofline/roofline_view.h"

/// The parts of a roofline besides points: marks, earlier and pinned runs, published roofs.
namespace tilestep::features {

/// Compares the measured roofs with the data sheet's in a sentence; empty if either is unknown.
[[nodiscard]] std::string publishedText(const RooflineInputs& in);

/// Adds reference speeds. A speed from another machine than the points' has a short remark, and a
/// sentence that names the machine.
void addMarks(RooflineView& view, const RooflineInputs& in);

/// Adds earlier choices of the main kernel. A choice measured on another machine names the machine.
void addTrail(RooflineView& view, const RooflineInputs& in);

/// Adds the pinned runs, likewise.
void addPinned(RooflineView& view, const RooflineInputs& in);

}  // namespace tilestep::features
