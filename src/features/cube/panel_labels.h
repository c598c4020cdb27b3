// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/cube/panel_projection.h"
#include "features/cube/view.h"
#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// The names of the matrices, and an arrow along each axis with its size. Labels are horizontal and
/// stay within the picture's box.
class CubeLabels {
 public:
  CubeLabels(const Context& context, const CubeTrace& cube, const CubeTurn& turn);
  /// The part of the picture's box that remains for the cube.
  [[nodiscard]] gfx::Box inside(const gfx::Box& box);
  void draw(ImDrawList& list, const CubeProjection& projection) const;

 private:
  /// An arrow along an edge, displaced by `off`.
  void arrow(ImDrawList& list, gfx::Point from, gfx::Point to, gfx::Point off) const;
  void text(ImDrawList& list, gfx::Point at, const std::string& what, bool name) const;
  [[nodiscard]] float widthOf(const std::string& what, bool name) const;

  const Context& context_;
  gfx::Box box_;
  std::string left_, right_, product_;  ///< Names.
  std::string rows_, columns_, depth_;  ///< "i: m = 8"
  float gap_ = 0;                       ///< Pixels between an object and its label.
};

}  // namespace tilestep::features
