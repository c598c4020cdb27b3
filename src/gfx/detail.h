// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gfx/camera.h"
#include "gfx/layout/layout.h"
#include "gfx/scene.h"

/// Levels of detail for matrices that are too large to be held as a whole. Pure.
namespace tilestep::gfx {

/// A part of a matrix at one level of detail: each square of `factor` x `factor` cells becomes one
/// value.
struct DetailRequest {
  CellRect area;  ///< Consists of whole squares, aligned to multiples of `factor`, so it may extend
                  ///< beyond the matrix.
  uint32_t factor = 1;  ///< A power of two.
  bool operator==(const DetailRequest&) const = default;
};

/// The whole matrix in at most `side` values along its longer side.
[[nodiscard]] DetailRequest overviewOf(uint32_t rows, uint32_t columns, uint32_t side);

/// The part of a matrix that a viewport shows, with one to two pixels per value; absent if it shows
/// none of the matrix. `pixelsPerUnit` is the number of framebuffer pixels per unit of the
/// viewport.
[[nodiscard]] std::optional<DetailRequest> seenOf(const Grid& grid, uint32_t rows, uint32_t columns,
                                                  const Camera& camera, float width, float height,
                                                  float pixelsPerUnit);

/// `seen` with a margin, so that small movements of the view need no new request.
[[nodiscard]] DetailRequest withRoom(const DetailRequest& seen, uint32_t rows, uint32_t columns);

/// Whether `held` contains `seen` at the same level of detail.
[[nodiscard]] bool covers(const DetailRequest& held, const DetailRequest& seen);

/// The mean of each square, over those of its cells that lie inside the matrix.
[[nodiscard]] std::shared_ptr<const Picture> averaged(const ValueSource& source, uint32_t rows,
                                                      uint32_t columns,
                                                      const DetailRequest& request);

}  // namespace tilestep::gfx
