// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "features/names.h"
#include "gfx/camera.h"
#include "ui/kit/cube_turn.h"

namespace tilestep::features {

/// A place in the cube: i along the rows of P, downwards; j along its columns, to the right; k
/// towards the viewer. Point (i, j, k) takes the places from i to i + 1 and so on.
struct CubePlace {
  float i = 0, j = 0, k = 0;
};

/// The part of the cube that is shown.
struct CubeRange {
  CubePlace first, end;
};

/// Looks at the cube without perspective: parallel edges stay parallel, and all points are equally
/// large, so that a projection onto a side of the cube is seen as one. Immutable.
///
/// M stands to the left of the cube and N above it, each parallel to its side and so far away that
/// neither hides the other where there is room. Where the sizes differ much, one along a short edge
/// is drawn longer.
class CubeProjection {
 public:
  /// Fits cube, M and N into the box, as large as possible.
  CubeProjection(const CubeTurn& turn, const CubeRange& shown, const gfx::Box& into);

  [[nodiscard]] gfx::Point at(const CubePlace& place) const;
  /// An element of M, by row and k, and one of N, by k and column.
  [[nodiscard]] gfx::Point onLeft(float i, float k) const { return at({i, leftJ_, k}); }
  [[nodiscard]] gfx::Point onRight(float k, float j) const { return at({rightI_, j, k}); }
  /// The lengths of a point's edges along i, j and k, pixels.
  [[nodiscard]] float edgeI() const;
  [[nodiscard]] float edgeJ() const;
  [[nodiscard]] float edgeK() const;
  [[nodiscard]] const CubeRange& shown() const { return shown_; }
  /// Around all that is drawn.
  [[nodiscard]] gfx::Box bounds() const;

 private:
  [[nodiscard]] gfx::Point unscaled(const CubePlace& place) const;
  [[nodiscard]] std::vector<CubePlace> corners() const;
  [[nodiscard]] gfx::Box around() const;

  CubeRange shown_;
  /// One step along i, j and k, before scaling.
  gfx::Point alongI_, alongJ_, alongK_;
  float leftJ_ = 0, rightI_ = 0;  ///< The planes of M and N.
  float scale_ = 1;
  gfx::Point origin_;
};

}  // namespace tilestep::features
