// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace tilestep::ui {

/// The rotation of the cube in degrees. For all allowed angles, the same three sides are visible.
struct CubeTurn {
  static constexpr float kLeast = 8, kMostYaw = 70, kMostPitch = 60;
  static constexpr float kYaw = 34, kPitch = 26;
  float yaw = kYaw;         ///< Viewing direction: from the k axis to the left, towards M,
  float pitch = kPitch;     ///< and from the horizontal upwards, towards N.
  bool blockAlone = false;  ///< The traced block's column fills the picture.

  void turn(float right, float up) {
    yaw = std::clamp(yaw + right, kLeast, kMostYaw);
    pitch = std::clamp(pitch + up, kLeast, kMostPitch);
  }
  bool operator==(const CubeTurn&) const = default;
};

}  // namespace tilestep::ui
