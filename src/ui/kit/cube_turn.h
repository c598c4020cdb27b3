// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace tilestep::ui {

/// How the cube is turned, in degrees. At no angle within the bounds does one of its three visible
/// sides vanish, and the same three are always visible.
struct CubeTurn {
  static constexpr float kLeast = 8, kMostYaw = 70, kMostPitch = 60;
  static constexpr float kYaw = 34, kPitch = 26;
  float yaw = kYaw;         ///< From where one looks along k, to the left, towards M.
  float pitch = kPitch;     ///< From the horizontal, upwards, towards N.
  bool blockAlone = false;  ///< The traced block's column fills the picture.

  void turn(float right, float up) {
    yaw = std::clamp(yaw + right, kLeast, kMostYaw);
    pitch = std::clamp(pitch + up, kLeast, kMostPitch);
  }
  bool operator==(const CubeTurn&) const = default;
};

}  // namespace tilestep::ui
