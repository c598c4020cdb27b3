// SPDX-License-Identifier: Apache-2.0
#include "gfx/labels/label_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace tilestep::gfx {
namespace {

/// Letters extend by this share of their font size above and below the middle of their line.
constexpr float kHalfInk = 0.34F;
/// This fraction of the font size stays free on both sides of a text, so that two texts are not
/// read as one.
constexpr float kApart = 0.3F;
/// The lines of two texts may overlap by this share of the lower text's height.
constexpr float kTouch = 0.25F;
/// A plate extends beyond its text by this share of the font size; see drawLabels.
constexpr float kPlatePad = 0.25F;

using Kind = Label::Kind;
constexpr std::array<Kind, 6> kOrder{Kind::title, Kind::header, Kind::badge,
                                     Kind::note,  Kind::cell,   Kind::index};

/// The share of its size to which a text may shrink.
float leastShare(Kind kind) {
  switch (kind) {
    case Kind::title:
    case Kind::header:
      return 0.45F;
    case Kind::note:
    case Kind::cell:
      return 0.6F;
    case Kind::badge:
    case Kind::index:
      return 1;
  }
  return 1;
}

/// The occupied boxes, indexed by the cells of a coarse grid that they overlap.
class Taken {
 public:
  [[nodiscard]] bool isFree(const Box& box) const {
    bool free = true;
    eachField(box, [&](int64_t field) {
      const auto found = fields_.find(field);
      if (found == fields_.end()) return;
      for (const size_t other : found->second) free = free && !touch(box, boxes_[other]);
    });
    return free;
  }

  void take(const Box& box) {
    boxes_.push_back(box);
    eachField(box, [&](int64_t field) { fields_[field].push_back(boxes_.size() - 1); });
  }

 private:
  static bool touch(const Box& a, const Box& b) {
    const float x = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
    const float y = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    return x > 0 && y > kTouch * std::min(a.height, b.height);
  }

  template <class Do>
  static void eachField(const Box& box, Do act) {
    constexpr float kField = 64;
    const auto first = [](float at) { return static_cast<int64_t>(std::floor(at / kField)); };
    for (int64_t y = first(box.y); y <= first(box.y + box.height); ++y)
      for (int64_t x = first(box.x); x <= first(box.x + box.width); ++x) act((y << 32) + x);
  }

  std::vector<Box> boxes_;
  std::unordered_map<int64_t, std::vector<size_t>> fields_;
};

class Placer {
 public:
  Placer(const std::vector<Label>& labels, float width, const MeasureText& measure)
      : labels_(labels), width_(width), measure_(measure), places_(labels.size()) {}

  std::vector<PlacedLabel> all() {
    for (const Kind kind : kOrder)
      for (size_t i = 0; i < labels_.size(); ++i)
        if (labels_[i].kind == kind) places_[i] = place(i);
    std::vector<PlacedLabel> placed;
    for (const std::optional<PlacedLabel>& one : places_)
      if (one) placed.push_back(*one);
    return placed;
  }

 private:
  /// Tries the label's text, and then the shorter text. The last text that is tried may also shrink
  /// if it is only too wide.
  std::optional<PlacedLabel> place(size_t i) {
    const Label& label = labels_[i];
    if (label.follows && (i == 0 || !places_[i - 1])) return std::nullopt;
    for (const std::string* text : {&label.text, &label.shorter}) {
      if (text->empty()) continue;
      const bool last = text == &label.shorter || label.shorter.empty();
      const std::optional<PlacedLabel> placed = fitted(i, *text, last);
      if (!placed || !taken_.isFree(inkOf(*placed, kApart))) continue;
      taken_.take(inkOf(*placed, 0));
      return placed;
    }
    return std::nullopt;
  }

  /// Fits a text into the label's maximum width; absent if the text would become too small.
  [[nodiscard]] std::optional<PlacedLabel> fitted(size_t i, const std::string& text,
                                                  bool shrinks) const {
    const Label& label = labels_[i];
    const float room = roomOf(i);
    PlacedLabel placed{&label, &text, label.heightPx, {}};
    float width = measure_(label, text, placed.heightPx);
    const float least =
        shrinks ? std::max(leastShare(label.kind) * label.heightPx, label.leastPx) : label.heightPx;
    // A size near a font's own size is snapped to it, so the text may still be too wide after one
    // iteration.
    for (int tries = 0; width > room && tries < 3; ++tries) {
      placed.heightPx = std::floor(placed.heightPx * room / width);
      if (placed.heightPx < least || placed.heightPx < 1) return std::nullopt;
      width = measure_(label, text, placed.heightPx);
    }
    if (width > room) return std::nullopt;
    placed.box = boxOf(i, width, placed.heightPx);
    keepInside(placed);
    const bool cut = placed.box.x < 0 || placed.box.x + width > width_;
    if (cut && label.kind == Kind::index) return std::nullopt;
    return placed;
  }

  /// Moves a badge, such as a ribbon's label, that begins inside the viewport but extends beyond
  /// it.
  void keepInside(PlacedLabel& placed) const {
    const float x = placed.label->at.x, most = width_ - placed.box.width;
    if (placed.label->kind != Kind::badge || x < 0 || x > width_) return;
    const float pad = std::min(kPlatePad * placed.heightPx, std::max(most / 2, 0.0F));
    placed.box.x = std::clamp(placed.box.x, pad, std::max(pad, most - pad));
  }

  [[nodiscard]] float roomOf(size_t i) const {
    const Label& label = labels_[i];
    if (label.maxWidthPx <= 0) return 1e9F;
    if (!label.follows) return label.maxWidthPx;
    return label.maxWidthPx - (startOf(i, label.heightPx) - places_[i - 1]->box.x);
  }

  /// The position of a label that follows the previous one.
  [[nodiscard]] float startOf(size_t i, float height) const {
    const Box& before = places_[i - 1]->box;
    const bool plated = labels_[i].plate.a > 0 || labels_[i - 1].plate.a > 0;
    const float plate = plated ? kPlatePad : 0;
    return before.x + before.width + height * (0.5F + plate);
  }

  [[nodiscard]] Box boxOf(size_t i, float width, float height) const {
    const Label& label = labels_[i];
    float x = label.at.x;
    if (label.align == Label::Align::center) x -= width / 2;
    if (label.align == Label::Align::right) x -= width;
    if (label.follows) x = startOf(i, height);
    return {x, label.at.y - height / 2, width, height};
  }

  /// The area that a label covers, with space at its sides.
  [[nodiscard]] static Box inkOf(const PlacedLabel& placed, float apart) {
    const bool plate = placed.label->plate.a > 0, cell = placed.label->kind == Kind::cell;
    const float side = placed.heightPx * (plate ? kPlatePad : cell ? 0 : apart);
    const float half = placed.heightPx * (plate ? 0.5F : kHalfInk);
    const float middle = placed.box.y + placed.box.height / 2;
    return {placed.box.x - side, middle - half, placed.box.width + 2 * side, 2 * half};
  }

  const std::vector<Label>& labels_;
  float width_;
  const MeasureText& measure_;
  std::vector<std::optional<PlacedLabel>> places_;
  Taken taken_;
};

}  // namespace

std::vector<PlacedLabel> placeLabels(const std::vector<Label>& labels, float viewportWidth,
                                     const MeasureText& measure) {
  return Placer(labels, viewportWidth, measure).all();
}

}  // namespace tilestep::gfx
