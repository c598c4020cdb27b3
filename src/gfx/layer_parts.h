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

/// Whether the links between two grids can be bundled: they must lead from a matrix to threads, and
/// several must lead from the same element to threads in one row or one column.
[[nodiscard]] bool canBundle(const std::vector<Link>& links);
/// Adds links that can be bundled. The loads of one row or column of threads form a trunk with an
/// arrow head at each thread. The width of a line is proportional to the number of its loads.
/// `strength` is the opacity, 0 to 1.
void addBundles(const std::vector<Link>& links, const Layout& layout, float strength,
                const Palette& palette, Layers& layers);

/// The text height to which the widths of lines and outlines refer.
constexpr float kUsualText = 16;

/// Replaces cells and links that are too many to distinguish by the areas that the step accesses,
/// ribbons, and the enlarged sample.
void addOverview(const SceneModel& model, const Layout& layout, const Palette& palette,
                 Layers& layers);
/// The positions of the enlarged sample and its threads; absent if there is too little space.
struct SamplePlaces {
  Point caption;  ///< The left end of the caption's first line; the second line is directly below.
  std::vector<Box> boxes;  ///< One for each thread.
};
[[nodiscard]] std::optional<SamplePlaces> samplePlaces(const SceneModel& model,
                                                       const Layout& layout);
/// A ribbon in the layout; its width is in pixels on screen. Absent if its length is zero.
struct RibbonPlace {
  std::optional<Point> start;  ///< The beginning of a ribbon with a bend.
  Point from, to;              ///< The ends of the ribbon's last straight part.
  float width = 0;
};
[[nodiscard]] std::optional<RibbonPlace> ribbonPlace(const Layout& layout, const Ribbon& ribbon);
/// The box around the cells at a ribbon's end; absent if that grid is not in the layout.
[[nodiscard]] std::optional<Box> boxOf(const Layout& layout, const Ribbon::End& end);

[[nodiscard]] Color cellColor(const SceneModel& model, float shade, const Palette& palette);

/// The position of a value between low and high, from 0 to 1.
[[nodiscard]] float shadeOf(float value, float low, float high);

/// The grid that contains a place; null if the grid is not in the layout.
[[nodiscard]] const Grid* gridOf(const Layout& layout, const Place& place);

/// Extends `hull` to contain the box.
void include(Box& hull, const Box& box);

/// The FNV-1a hash over the words of plain structs that have four-byte members without padding.
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
