// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gfx/labels/label_sheet.h"

namespace tilestep::gfx {
namespace {

void addTitles(LabelSheet& sheet) {
  const Point at = sheet.layers.layout.title;
  const float size = sheet.textPx * 1.15F;
  const bool fits = sheet.camera == Camera();
  const Color plate = fits ? Color{0, 0, 0, 0} : sheet.plateColor();
  if (!sheet.model.title.empty()) {
    Label title = sheet.make(sheet.model.title, at, size, sheet.palette.text, Label::Kind::title,
                             Label::Align::left);
    title.plate = plate;
    title.maxWidthPx = std::max(1.0F, sheet.viewWidth - 2 * at.x);
    sheet.add(std::move(title));
  }
  if (!sheet.model.warning.empty()) {
    Label warning =
        sheet.make("! " + sheet.counted(sheet.model.warning), at, sheet.textPx * 0.9F,
                   textOn(sheet.palette.warning), Label::Kind::badge, Label::Align::left);
    warning.plate = sheet.palette.warning;
    warning.follows = !sheet.model.title.empty();
    warning.maxWidthPx = std::max(1.0F, sheet.viewWidth - 2 * at.x);
    sheet.add(std::move(warning));
  }
  if (sheet.model.caption.empty()) return;
  Label note = sheet.make(sheet.model.caption, {sheet.viewWidth - at.x, at.y}, sheet.textPx,
                          sheet.palette.mutedText, Label::Kind::note, Label::Align::right);
  note.plate = plate;
  note.maxWidthPx = std::max(1.0F, sheet.viewWidth - 2 * at.x);
  sheet.add(std::move(note));
}

void addMemory(LabelSheet& sheet, const MemoryName& name) {
  const MemoryWords words = wordsOf(name.memory);
  sheet.add(sheet.make(words.full, sheet.camera.toScreen(name.at), sheet.textPx * 0.85F,
                       sheet.palette.mutedText, Label::Kind::note, Label::Align::left));
  sheet.last().shorter = words.brief;
  sheet.last().maxWidthPx = std::max(1.0F, name.width * sheet.camera.zoom());
}

/// The label is on a wide ribbon, but above or to the right of a narrow one, which it would cover.
void addRibbon(LabelSheet& sheet, const Ribbon& ribbon) {
  const auto place = ribbonPlace(sheet.layers.layout, ribbon);
  if (!place || ribbon.label.empty()) return;
  const Point a = sheet.camera.toScreen(place->from), b = sheet.camera.toScreen(place->to);
  const float share = place->start ? 0.65F : 0.5F;  // The names are near the bend.
  Label label = sheet.make(sheet.counted(ribbon.label),
                           {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share},
                           sheet.textPx * 0.9F, sheet.palette.text, Label::Kind::badge);
  label.plate = sheet.plateColor();
  const float aside = place->width / 2 + 0.6F * sheet.textPx;
  const bool narrow = place->width < 1.6F * sheet.textPx;
  if (narrow && std::fabs(b.x - a.x) > std::fabs(b.y - a.y))
    label.at.y -= aside + 0.3F * sheet.textPx;
  if (narrow && std::fabs(b.x - a.x) <= std::fabs(b.y - a.y)) {
    label.at.x += aside;
    label.align = Label::Align::left;
  }
  sheet.add(std::move(label));
}

void addSample(LabelSheet& sheet) {
  const auto places = samplePlaces(sheet.model, sheet.layers.layout);
  if (!places) return;
  Point at = sheet.camera.toScreen(places->caption);
  const float size =
      std::max(sheet.textPx * 0.85F * std::min(1.0F, sheet.camera.zoom()), sheet.leastPx);
  for (const std::string& text : {sheet.model.sample->caption, sheet.model.sample->unit}) {
    sheet.add(
        sheet.make(text, at, size, sheet.palette.mutedText, Label::Kind::note, Label::Align::left));
    sheet.last().maxWidthPx =
        std::max(1.0F, sheet.layers.layout.corner.width * sheet.camera.zoom());
    at.y += size * 1.25F;
  }
}

}  // namespace

std::vector<Label> labelsOf(const Layers& layers, const Camera& camera, float width, float height) {
  if (!layers.model || width <= 0 || height <= 0) return {};
  LabelSheet sheet(layers, camera, width, height);
  const SceneModel& model = sheet.model;
  for (size_t i = 0; i < model.panels.size(); ++i) labelMatrix(sheet, i);
  for (size_t i = 0; i < model.arrays.size(); ++i) labelArray(sheet, i);
  for (size_t i = 0; i < model.threads.size(); ++i) labelThreads(sheet, i);
  for (const MemoryName& name : layers.layout.memories) addMemory(sheet, name);
  for (const Ribbon& ribbon : model.ribbons) addRibbon(sheet, ribbon);
  addSample(sheet);
  addTitles(sheet);
  return std::move(sheet).take();
}

}  // namespace tilestep::gfx
