// SPDX-License-Identifier: Apache-2.0
#include "features/cube/panel_projection.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilestep::features {
namespace {

using gfx::Point;

/// The least length of an edge on the screen, as a fraction of the longest edge.
constexpr float kShortest = 0.3F;
/// The greatest distance of M and N from the cube, as a fraction of k's drawn length.
constexpr float kFarthest = 1.1F;

float radians(float degrees) {
  return degrees * std::numbers::pi_v<float> / 180;
}

Point times(Point along, float factor) {
  return {along.x * factor, along.y * factor};
}

float lengthOf(Point along) {
  return std::hypot(along.x, along.y);
}

}  // namespace

CubeProjection::CubeProjection(const CubeTurn& turn, const CubeRange& shown, const gfx::Box& into)
    : shown_(shown) {
  const float countI = shown.end.i - shown.first.i, countJ = shown.end.j - shown.first.j,
              countK = shown.end.k - shown.first.k;
  const float least = kShortest * std::max({countI, countJ, countK});
  const float i = std::max(countI, least), j = std::max(countJ, least), k = std::max(countK, least);
  const float sinY = std::sin(radians(turn.yaw)), cosY = std::cos(radians(turn.yaw));
  const float sinP = std::sin(radians(turn.pitch)), cosP = std::cos(radians(turn.pitch));
  alongI_ = times({0, cosP}, i / countI);
  alongJ_ = times({cosY, -sinY * sinP}, j / countJ);
  alongK_ = times({sinY, cosY * sinP}, k / countK);
  // The extent of the cube's side on the screen, plus a margin.
  const float margin = 0.1F * std::max({i, j, k});
  const float left = std::min(k * sinY / cosY, kFarthest * k) + margin;
  const float high = j * k * sinP / std::max(j * cosY, k * sinY) / cosP;
  const float up = std::min(high, kFarthest * k) + margin;
  leftJ_ = shown.first.j - left * countJ / j;
  rightI_ = shown.first.i - up * countI / i;
  const gfx::Box all = around();
  scale_ = std::max(std::min(into.width / all.width, into.height / all.height), 1e-6F);
  origin_ = {into.x + (into.width - scale_ * all.width) / 2 - scale_ * all.x,
             into.y + (into.height - scale_ * all.height) / 2 - scale_ * all.y};
}

Point CubeProjection::unscaled(const CubePlace& place) const {
  return {place.i * alongI_.x + place.j * alongJ_.x + place.k * alongK_.x,
          place.i * alongI_.y + place.j * alongJ_.y + place.k * alongK_.y};
}

Point CubeProjection::at(const CubePlace& place) const {
  const Point raw = unscaled(place);
  return {origin_.x + scale_ * raw.x, origin_.y + scale_ * raw.y};
}

float CubeProjection::edgeI() const {
  return scale_ * lengthOf(alongI_);
}
float CubeProjection::edgeJ() const {
  return scale_ * lengthOf(alongJ_);
}
float CubeProjection::edgeK() const {
  return scale_ * lengthOf(alongK_);
}

std::vector<CubePlace> CubeProjection::corners() const {
  std::vector<CubePlace> all;
  for (const float k : {shown_.first.k, shown_.end.k}) {
    for (const float i : {shown_.first.i, shown_.end.i}) {
      all.push_back({i, leftJ_, k});
      for (const float j : {shown_.first.j, shown_.end.j}) all.push_back({i, j, k});
    }
    for (const float j : {shown_.first.j, shown_.end.j}) all.push_back({rightI_, j, k});
  }
  return all;
}

gfx::Box CubeProjection::around() const {
  Point least = unscaled(corners().front()), most = least;
  for (const CubePlace& corner : corners()) {
    const Point at = unscaled(corner);
    least = {std::min(least.x, at.x), std::min(least.y, at.y)};
    most = {std::max(most.x, at.x), std::max(most.y, at.y)};
  }
  return {least.x, least.y, std::max(most.x - least.x, 1e-6F), std::max(most.y - least.y, 1e-6F)};
}

gfx::Box CubeProjection::bounds() const {
  const gfx::Box raw = around();
  return {origin_.x + scale_ * raw.x, origin_.y + scale_ * raw.y, scale_ * raw.width,
          scale_ * raw.height};
}

}  // namespace tilestep::features
