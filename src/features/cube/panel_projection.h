// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "features/names.h"
#include "gfx/camera.h"
#include "ui/kit/cube_turn.h"

namespace tilestep::features {

/// A position in the cube: i along the rows of P, downwards; j along its columns, to the right; k
/// towards the viewer. Point (i, j, k) occupies the positions from i to i + 1, and so on.
struct CubePlace {
  float i = 0, j = 0, k = 0;
};

/// The visible part of the cube.
struct CubeRange {
  CubePlace first, end;
};

/// A view of the cube without perspective: parallel edges stay parallel and all points have equal
/// size, so projections onto the cube's sides are recognisable. Immutable.
///
/// M is to the left of the cube and N above it, each parallel to a side of the cube. If there is
/// space, M and N are far enough from the cube that nothing is covered. If the sizes differ much,
/// points are stretched along the cube's short edges.
class CubeProjection {
 public:
  /// Fits the cube, M and N into the box, as large as possible.
  CubeProjection(const CubeTurn& turn, const CubeRange& shown, const gfx::Box& into);

  [[nodiscard]] gfx::Point at(const CubePlace& place) const;
  /// The screen position of an element of M, by row and k, and of N, by k and column.
  [[nodiscard]] gfx::Point onLeft(float i, float k) const { return at({i, leftJ_, k}); }
  [[nodiscard]] gfx::Point onRight(float k, float j) const { return at({rightI_, j, k}); }
  /// The lengths of a point's edges along i and j, in pixels.
  [[nodiscard]] float edgeI() const;
  [[nodiscard]] float edgeJ() const;
  [[nodiscard]] float edgeK() const;
  [[nodiscard]] const CubeRange& shown() const { return shown_; }
  /// Bounding box of everything that is drawn.
  [[nodiscard]] gfx::Box bounds() const;

 private:
  [[nodiscard]] gfx::Point unscaled(const CubePlace& place) const;
  [[nodiscard]] std::vector<CubePlace> corners() const;
  [[nodiscard]] gfx::Box around() const;

  CubeRange shown_;
  /// The displacement of one unit of i, j and k, before scaling.
  gfx::Point alongI_, alongJ_, alongK_;
  float leftJ_ = 0, rightI_ = 0;  ///< The planes of M and N.
  float scale_ = 1;
  gfx::Point origin_;
};

}  // namespace tilestep::features
