// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gfx/camera.h"
#include "gfx/layout.h"
#include "gfx/scene.h"

/// Levels of detail of matrices that are too large to be held whole. Pure.
namespace tilestep::gfx {

/// A part of a matrix at one level of detail: squares of `factor` x `factor` cells become a value.
struct DetailRequest {
  CellRect
      area;  ///< Begins at multiples of `factor`; whole squares, so it may reach over the edge.
  uint32_t factor = 1;  ///< A power of two.
  bool operator==(const DetailRequest&) const = default;
};

/// The whole matrix in at most `side` values along its longer side.
[[nodiscard]] DetailRequest overviewOf(uint32_t rows, uint32_t columns, uint32_t side);

/// The part of a matrix that a viewport shows, with one to two pixels per value; nothing if it
/// shows none. `pixelsPerUnit`: framebuffer pixels of a viewport's unit.
[[nodiscard]] std::optional<DetailRequest> seenOf(const Grid& grid, uint32_t rows, uint32_t columns,
                                                  const Camera& camera, float width, float height,
                                                  float pixelsPerUnit);

/// `seen` with a margin, so that small moves of the view need no new one.
[[nodiscard]] DetailRequest withRoom(const DetailRequest& seen, uint32_t rows, uint32_t columns);

/// Whether `seen` lies within `held` and `held` is as fine.
[[nodiscard]] bool covers(const DetailRequest& held, const DetailRequest& seen);

/// The means of the squares, each over its cells inside of the matrix.
[[nodiscard]] std::shared_ptr<const Picture> averaged(const ValueSource& source, uint32_t rows,
                                                      uint32_t columns,
                                                      const DetailRequest& request);

}  // namespace tilestep::gfx
