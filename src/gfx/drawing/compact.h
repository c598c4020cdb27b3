// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

/// A nearly identical picture that is smaller as SVG:
/// - runs of many boxes of a few pixels, such as the cells of large tiles, become one image with
///   four pixels per screen pixel;
/// - links between cells are sorted by colour, so that they share paths;
/// - boxes without an area are omitted;
/// - each channel of an image may change by up to 4 of 255, which reduces the number of colours.
[[nodiscard]] Drawing compacted(const Drawing& drawing);

}  // namespace tilestep::gfx
