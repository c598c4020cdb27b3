// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "gfx/layers.h"

/// Parts of buildLayers and labelsOf. Private to this folder.
namespace tilestep::gfx {

/// Adds shared arrays and accumulators.
void addSlots(const SceneModel& model, const Layout& layout, const Palette& palette,
              Layers& layers);
/// Adds links as static lines and, with motion, also as moving elements.
void addLinks(const SceneModel& model, const Layout& layout, const Palette& palette,
              Layers& layers);

/// The position of a value between low and high, 0 to 1.
[[nodiscard]] float shadeOf(float value, float low, float high);

/// The grid that contains a place; null where the place is not in the layout.
[[nodiscard]] const Grid* gridOf(const Layout& layout, const Place& place);

/// FNV-1a over words, for plain structs of four-byte members without padding.
template <class T>
[[nodiscard]] uint64_t contentHash(const std::vector<T>& items) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
  uint64_t hash = 0xcbf29ce484222325ULL ^ items.size();
  const auto* bytes = reinterpret_cast<const unsigned char*>(items.data());
  for (size_t at = 0; at < items.size() * sizeof(T); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, bytes + at, 4);
    hash = (hash ^ word) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace tilestep::gfx
