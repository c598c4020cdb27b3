// SPDX-License-Identifier: Apache-2.0
#include "gfx/damage.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "gfx/imgui_compat.h"

namespace tilestep::gfx {
namespace {

constexpr size_t kMostBoxes = 8;   ///< More boxes would cost more than they save.
constexpr size_t kManyBoxes = 32;  ///< The limit while boxes are collected.
/// Pixels that are cheaper to draw than to exclude by another box.
constexpr int64_t kSmallWaste = 4096;
constexpr unsigned kPieceIndices = 96;  ///< The indices of 16 characters.

void mix(uint64_t& hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 29;
}

/// Mixes the words with each other first, so that only a short computation depends on the previous
/// hash.
void mix(uint64_t& hash, const ImDrawVert& vertex) {
  uint64_t words[3] = {};
  static_assert(sizeof(ImDrawVert) <= sizeof words);
  std::memcpy(words, &vertex, sizeof vertex);
  const uint64_t joined = words[0] * 0xD6E8FEB86659FD93ULL + words[1] * 0xA0761D6478BD642FULL +
                          words[2] * 0xE7037ED1A0B428DBULL;
  mix(hash, joined ^ joined >> 32);
}

uint64_t hashOf(const ImDrawCmd& command) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  if (command.UserCallback != nullptr) {
    mix(hash, reinterpret_cast<uintptr_t>(command.UserCallback));
    mix(hash, reinterpret_cast<uintptr_t>(command.UserCallbackData));
    return hash;
  }
  mix(hash, compat::textureOf(command));
  return hash;
}

PixelBox wholeOf(const ImDrawData& data) {
  return {0, 0, int(data.DisplaySize.x * data.FramebufferScale.x),
          int(data.DisplaySize.y * data.FramebufferScale.y)};
}

PixelBox around(const PixelBox& a, const PixelBox& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

int64_t areaOf(const PixelBox& box) {
  return int64_t(box.right - box.left) * (box.bottom - box.top);
}

/// Joins one pair of boxes: two that overlap or, if there are too many boxes, the two whose union
/// adds the fewest pixels.
bool joinOnce(std::vector<PixelBox>& boxes) {
  size_t first = 0, second = 0;
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < boxes.size(); ++i)
    for (size_t j = i + 1; j < boxes.size(); ++j) {
      const bool overlap = !intersection(boxes[i], boxes[j]).empty();
      const int64_t cost =
          overlap ? INT64_MIN
                  : areaOf(around(boxes[i], boxes[j])) - areaOf(boxes[i]) - areaOf(boxes[j]);
      if (cost >= least) continue;
      least = cost;
      first = i;
      second = j;
    }
  if (least != INT64_MIN && boxes.size() <= kMostBoxes) return false;
  boxes[first] = around(boxes[first], boxes[second]);
  boxes.erase(boxes.begin() + std::ptrdiff_t(second));
  return true;
}

void add(std::vector<PixelBox>& boxes, const PixelBox& box) {
  if (box.empty()) return;
  for (PixelBox& other : boxes) {
    const PixelBox both = around(other, box);
    if (areaOf(both) - areaOf(other) - areaOf(box) > kSmallWaste) continue;
    other = both;
    return;
  }
  boxes.push_back(box);
  if (boxes.size() > kManyBoxes) joinOnce(boxes);
}

/// `box` as a clip rectangle in ImGui coordinates.
ImVec4 clipOf(const PixelBox& box, const ImDrawData& data) {
  const ImVec2 scale = data.FramebufferScale;
  return {float(box.left) / scale.x + data.DisplayPos.x,
          float(box.top) / scale.y + data.DisplayPos.y,
          float(box.right) / scale.x + data.DisplayPos.x,
          float(box.bottom) / scale.y + data.DisplayPos.y};
}

}  // namespace

PixelBox intersection(const PixelBox& a, const PixelBox& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

PixelBox pixelsOf(const ImDrawCmd& command, const ImDrawData& data) {
  const ImVec4& clip = command.ClipRect;
  const float left = (clip.x - data.DisplayPos.x) * data.FramebufferScale.x;
  const float top = (clip.y - data.DisplayPos.y) * data.FramebufferScale.y;
  const float right = (clip.z - data.DisplayPos.x) * data.FramebufferScale.x;
  const float bottom = (clip.w - data.DisplayPos.y) * data.FramebufferScale.y;
  const PixelBox whole = wholeOf(data);
  if (right <= left || bottom <= top) return {};
  // OpenGL counts from the bottom, and the backend truncates origin and extent to whole pixels.
  const int x = int(std::max(left, 0.0F)), below = int(float(whole.bottom) - bottom);
  const int width = int(right - std::max(left, 0.0F)), height = int(bottom - top);
  return intersection({x, whole.bottom - below - height, x + width, whole.bottom - below}, whole);
}

void Damage::addPieces(const ImDrawList& list, const ImDrawCmd& command, const ImDrawData& data,
                       List& pieces) {
  const PixelBox area = pixelsOf(command, data);
  const uint64_t start = hashOf(command);
  if (command.UserCallback != nullptr) return pieces.push_back({start, area});
  const ImVec2 scale = data.FramebufferScale;
  for (unsigned first = 0; first < command.ElemCount; first += kPieceIndices) {
    uint64_t hash = start;
    ImVec2 low{1e9F, 1e9F}, high{-1e9F, -1e9F};
    const unsigned end = std::min(first + kPieceIndices, command.ElemCount);
    for (unsigned i = first; i < end; ++i) {
      const ImDrawIdx index = list.IdxBuffer[int(command.IdxOffset + i)];
      const ImDrawVert& vertex = list.VtxBuffer[int(command.VtxOffset + index)];
      mix(hash, vertex);
      low = {std::min(low.x, vertex.pos.x), std::min(low.y, vertex.pos.y)};
      high = {std::max(high.x, vertex.pos.x), std::max(high.y, vertex.pos.y)};
    }
    const auto pixel = [](float at, float from, float by) {
      return std::clamp((at - from) * by, -1e6F, 1e6F);
    };
    const PixelBox bounds{int(std::floor(pixel(low.x, data.DisplayPos.x, scale.x))),
                          int(std::floor(pixel(low.y, data.DisplayPos.y, scale.y))),
                          int(std::ceil(pixel(high.x, data.DisplayPos.x, scale.x))),
                          int(std::ceil(pixel(high.y, data.DisplayPos.y, scale.y)))};
    pieces.push_back({hash, intersection(area, bounds)});
  }
}

/// Common pieces at both ends of the lists are unchanged. Pieces in between are compared one by
/// one, so a change of length affects only the rest of that list.
void Damage::compare(const List& before, const List& now, std::vector<PixelBox>& changed) {
  const size_t shorter = std::min(before.size(), now.size());
  size_t first = 0, last = 0;
  while (first < shorter && before[first] == now[first]) ++first;
  while (last < shorter - first && before[before.size() - 1 - last] == now[now.size() - 1 - last])
    ++last;
  const size_t beforeEnd = before.size() - last, nowEnd = now.size() - last;
  for (size_t i = first; i < std::max(beforeEnd, nowEnd); ++i) {
    if (i < beforeEnd && i < nowEnd && before[i] == now[i]) continue;
    if (i < beforeEnd) add(changed, before[i].area);
    if (i < nowEnd) add(changed, now[i].area);
  }
}

std::vector<PixelBox> Damage::next(const ImDrawData& data) {
  std::vector<List> lists;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    List& list = lists.emplace_back();
    for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
      addPieces(*data.CmdLists[i], command, data, list);
  }
  const bool all = !std::exchange(known_, true) || whole_ != wholeOf(data);
  whole_ = wholeOf(data);
  std::vector<PixelBox> changed;
  for (size_t i = 0; i < std::max(lists.size(), lists_.size()); ++i)
    compare(i < lists_.size() ? lists_[i] : List{}, i < lists.size() ? lists[i] : List{}, changed);
  lists_ = std::move(lists);
  // With a fractional scale clipping is inexact, so everything is drawn.
  const bool fractional = data.FramebufferScale.x != float(int(data.FramebufferScale.x)) ||
                          data.FramebufferScale.y != float(int(data.FramebufferScale.y));
  if (all || (fractional && !changed.empty())) return {whole_};
  while (joinOnce(changed)) {
  }
  return changed;
}

CutToBoxes::CutToBoxes(ImDrawData& data, const std::vector<PixelBox>& boxes) : data_(data) {
  for (int i = 0; i < data.CmdListsCount; ++i) {
    ImVector<ImDrawCmd>& commands = data.CmdLists[i]->CmdBuffer;
    kept_.emplace_back(commands.begin(), commands.end());
    commands.resize(0);
    ImDrawList& list = *data.CmdLists[i];
    sizes_.emplace_back(list.VtxBuffer.Size, list.IdxBuffer.Size);
    for (const ImDrawCmd& command : kept_.back()) {
      if (command.UserCallback == ImDrawCallback_ResetRenderState) {
        commands.push_back(command);
        continue;
      }
      for (const PixelBox& box : boxes) {
        const PixelBox area = intersection(pixelsOf(command, data), box);
        if (area.empty()) continue;
        commands.push_back(command);
        commands.back().ClipRect = clipOf(area, data);
      }
    }
    // The backend uploads all vertices, so lists that draw nothing are emptied.
    if (commands.empty()) list.VtxBuffer.Size = list.IdxBuffer.Size = 0;
  }
}

CutToBoxes::~CutToBoxes() {
  for (size_t i = 0; i < kept_.size(); ++i) {
    ImVector<ImDrawCmd>& commands = data_.CmdLists[int(i)]->CmdBuffer;
    commands.resize(0);
    for (const ImDrawCmd& command : kept_[i]) commands.push_back(command);
    data_.CmdLists[int(i)]->VtxBuffer.Size = sizes_[i].first;
    data_.CmdLists[int(i)]->IdxBuffer.Size = sizes_[i].second;
  }
}

}  // namespace tilestep::gfx
