// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::gfx {

struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
/// Interpolates from a (t = 0) to b (t = 1).
[[nodiscard]] constexpr Point between(Point a, Point b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

struct Box {
  float x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool contains(Point p) const {
    return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
  }
  [[nodiscard]] Point center() const { return {x + width / 2, y + height / 2}; }
  bool operator==(const Box&) const = default;
};

/// Zoom and pan of one scene. World coordinates are those of the Layout; at zoom 1 without panning
/// they equal viewport coordinates. The viewport's origin is its upper left corner, and y points
/// down.
class Camera {
 public:
  static constexpr float kMinZoom = 0.5F;
  static constexpr float kMaxZoom = 4096;

  /// Resets zoom and pan, so that an arranged scene fits its viewport.
  void fit();
  /// Fits a world box into a viewport with a margin (fraction of the viewport).
  void fitTo(const Box& world, float width, float height, float margin = 0.05F);
  /// Multiplies the zoom and keeps the world point under `pointer` (viewport coordinates) in place.
  void zoomAt(Point pointer, float factor);
  void pan(float dx, float dy);
  /// Keeps some of the world in view, so that a scene cannot get lost.
  void keepInView(const Box& world, float width, float height);

  [[nodiscard]] Point toScreen(Point world) const;
  [[nodiscard]] Point toWorld(Point screen) const;
  [[nodiscard]] Box toScreen(const Box& world) const;
  [[nodiscard]] float zoom() const { return zoom_; }
  [[nodiscard]] Point origin() const { return origin_; }  ///< Screen position of world (0, 0).
  bool operator==(const Camera&) const = default;

 private:
  float zoom_ = 1;
  Point origin_;
};

}  // namespace tilestep::gfx
