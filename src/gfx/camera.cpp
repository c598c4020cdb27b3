// SPDX-License-Identifier: Apache-2.0
#include "gfx/camera.h"

#include <algorithm>

namespace tilestep::gfx {

void Camera::fit() {
  *this = Camera();
}

void Camera::fitTo(const Box& world, float width, float height, float margin) {
  if (world.width <= 0 || world.height <= 0 || width <= 0 || height <= 0) return fit();
  const float room = 1 - 2 * margin;
  zoom_ = std::clamp(std::min(width * room / world.width, height * room / world.height), kMinZoom,
                     kMaxZoom);
  const Point middle = world.center();
  origin_ = {width / 2 - middle.x * zoom_, height / 2 - middle.y * zoom_};
}

void Camera::zoomAt(Point pointer, float factor) {
  const float zoom = std::clamp(zoom_ * factor, kMinZoom, kMaxZoom);
  const float ratio = zoom / zoom_;
  origin_ = {pointer.x + (origin_.x - pointer.x) * ratio,
             pointer.y + (origin_.y - pointer.y) * ratio};
  zoom_ = zoom;
}

void Camera::pan(float dx, float dy) {
  origin_.x += dx;
  origin_.y += dy;
}

void Camera::keepInView(const Box& world, float width, float height) {
  constexpr float kSeen = 48;
  const Box now = toScreen(world);
  origin_.x += std::clamp(now.x, kSeen - now.width, width - kSeen) - now.x;
  origin_.y += std::clamp(now.y, kSeen - now.height, height - kSeen) - now.y;
}

Point Camera::toScreen(Point world) const {
  return {origin_.x + world.x * zoom_, origin_.y + world.y * zoom_};
}

Point Camera::toWorld(Point screen) const {
  return {(screen.x - origin_.x) / zoom_, (screen.y - origin_.y) / zoom_};
}

Box Camera::toScreen(const Box& world) const {
  const Point corner = toScreen(Point{world.x, world.y});
  return {corner.x, corner.y, world.width * zoom_, world.height * zoom_};
}

}  // namespace tilestep::gfx
