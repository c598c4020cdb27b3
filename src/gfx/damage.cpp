// SPDX-License-Identifier: Apache-2.0
#include "gfx/damage.h"

#include <imgui.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilestep::gfx {
namespace {

constexpr size_t kMostBoxes = 8;  ///< More of them would cost more than they save.

void mix(uint64_t& hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 29;
}

void mix(uint64_t& hash, const ImDrawVert& vertex) {
  uint64_t words[3] = {};
  static_assert(sizeof(ImDrawVert) <= sizeof words);
  std::memcpy(words, &vertex, sizeof vertex);
  for (const uint64_t word : words) mix(hash, word);
}

/// Of what a command draws, wherever its vertices lie in the list.
uint64_t hashOf(const ImDrawList& list, const ImDrawCmd& command) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  if (command.UserCallback != nullptr) {
    mix(hash, reinterpret_cast<uintptr_t>(command.UserCallback));
    mix(hash, reinterpret_cast<uintptr_t>(command.UserCallbackData));
    return hash;
  }
#if IMGUI_VERSION_NUM >= 19200
  mix(hash, uint64_t(command.TexRef._TexID));
  mix(hash, reinterpret_cast<uintptr_t>(command.TexRef._TexData));
#else
  mix(hash, reinterpret_cast<uintptr_t>(reinterpret_cast<const void*>(command.TextureId)));
#endif
  for (unsigned i = 0; i < command.ElemCount; ++i) {
    const ImDrawIdx index = list.IdxBuffer[int(command.IdxOffset + i)];
    mix(hash, list.VtxBuffer[int(command.VtxOffset + index)]);
  }
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

/// Joins one pair of boxes: any that overlap, else where there are too many the cheapest.
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
  // OpenGL counts from below, and the backend cuts origin and extent to whole pixels.
  const int x = int(std::max(left, 0.0F)), below = int(float(whole.bottom) - bottom);
  const int width = int(right - std::max(left, 0.0F)), height = int(bottom - top);
  return intersection({x, whole.bottom - below - height, x + width, whole.bottom - below}, whole);
}

void Damage::compare(const List& before, const List& now, std::vector<PixelBox>& changed) {
  const auto add = [&](const PixelBox& area) {
    if (!area.empty() && std::ranges::find(changed, area) == changed.end()) changed.push_back(area);
  };
  for (size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
    if (i < before.size() && i < now.size() && before[i] == now[i]) continue;
    if (i < before.size()) add(before[i].area);
    if (i < now.size()) add(now[i].area);
  }
}

std::vector<PixelBox> Damage::next(const ImDrawData& data) {
  std::vector<List> lists;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    List& list = lists.emplace_back();
    for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
      if (command.UserCallback != nullptr || command.ElemCount > 0)
        list.push_back({hashOf(*data.CmdLists[i], command), pixelsOf(command, data)});
  }
  const bool all = !std::exchange(known_, true) || whole_ != wholeOf(data);
  whole_ = wholeOf(data);
  std::vector<PixelBox> changed;
  for (size_t i = 0; i < std::max(lists.size(), lists_.size()); ++i)
    compare(i < lists_.size() ? lists_[i] : List{}, i < lists.size() ? lists[i] : List{}, changed);
  lists_ = std::move(lists);
  // Parts of a pixel make cutting inexact: draw everything there.
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
  }
}

CutToBoxes::~CutToBoxes() {
  for (size_t i = 0; i < kept_.size(); ++i) {
    ImVector<ImDrawCmd>& commands = data_.CmdLists[int(i)]->CmdBuffer;
    commands.resize(0);
    for (const ImDrawCmd& command : kept_[i]) commands.push_back(command);
  }
}

}  // namespace tilestep::gfx
