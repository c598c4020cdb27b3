// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

struct ImDrawCmd;
struct ImDrawData;
struct ImDrawList;

/// Finds the parts of a window's picture that differ from the previous frame. With a software
/// renderer every pixel costs time, and most frames change only one panel.
namespace tilestep::gfx {

/// A box of framebuffer pixels, counted from the upper left corner; right and bottom are exclusive.
struct PixelBox {
  int left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] bool empty() const { return right <= left || bottom <= top; }
  bool operator==(const PixelBox&) const = default;
};
[[nodiscard]] PixelBox intersection(const PixelBox& a, const PixelBox& b);
/// The pixels that ImGui's backend draws for a command.
[[nodiscard]] PixelBox pixelsOf(const ImDrawCmd& command, const ImDrawData& data);

/// Compares each frame's draw commands with the last frame's, in pieces of a few characters. A
/// command with a callback counts as changed if its function, data or area has changed.
class Damage {
 public:
  /// Returns disjoint boxes that cover everything that changed; empty if nothing did.
  [[nodiscard]] std::vector<PixelBox> next(const ImDrawData& data);
  /// Makes the whole next frame count as changed.
  void forget() { known_ = false; }

 private:
  /// A command with a callback, or a few triangles of another command.
  struct Piece {
    uint64_t hash = 0;
    PixelBox area;
    bool operator==(const Piece&) const = default;
  };
  using List = std::vector<Piece>;
  static void addPieces(const ImDrawList& list, const ImDrawCmd& command, const ImDrawData& data,
                        List& pieces);
  static void compare(const List& before, const List& now, std::vector<PixelBox>& changed);

  bool known_ = false;
  PixelBox whole_;
  std::vector<List> lists_;
};

/// Clips the commands of a frame to disjoint boxes during its lifetime, then restores them.
class CutToBoxes {
 public:
  CutToBoxes(ImDrawData& data, const std::vector<PixelBox>& boxes);
  ~CutToBoxes();
  CutToBoxes(const CutToBoxes&) = delete;
  CutToBoxes& operator=(const CutToBoxes&) = delete;

 private:
  ImDrawData& data_;
  std::vector<std::vector<ImDrawCmd>> kept_;
  std::vector<std::pair<int, int>> sizes_;  ///< Vertices and indices of each list.
};

}  // namespace tilestep::gfx
