// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/roofline/roofline_view.h"

/// What a roofline sets beside the points: marks, runs of before, pinned runs, published roofs.
namespace tilestep::model {

/// How measured roofs and the data sheet's compare, in a sentence; empty where one is not known.
[[nodiscard]] std::string publishedText(const RooflineInputs& in);

/// Speeds of another machine than the points' own say so in few words, and in a sentence which
/// machine it is.
void addMarks(RooflineView& view, const RooflineInputs& in);

/// Earlier choices of the main kernel. Those that another machine measured say whose they are.
void addTrail(RooflineView& view, const RooflineInputs& in);

/// Likewise the pinned runs.
void addPinned(RooflineView& view, const RooflineInputs& in);

}  // namespace tilestep::model
