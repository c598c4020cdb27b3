// SPDX-License-Identifier: Apache-2.0
#include <epoxy/gl.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "gfx/damage.h"
#include "gfx/gl/gl_buffers.h"
#include "gfx/gl/gl_flights.h"
#include "gfx/gl/gl_program.h"
#include "gfx/gl/gl_target.h"
#include "gfx/layer_parts.h"
#include "gfx/renderer.h"

namespace tilestep::gfx {
namespace {

/// One scene's objects on the GPU.
struct SceneBuffers {
  SceneBuffers(const GlProgram& mover, const GlProgram& line) : flights(mover, line) {}
  InstanceBuffer marks{kRectAttributes, sizeof(RectInstance)};
  InstanceBuffer cells{kRectAttributes, sizeof(RectInstance)};
  InstanceBuffer ribbons{kLineAttributes, sizeof(LineInstance)};
  InstanceBuffer lines{kLineAttributes, sizeof(LineInstance)};
  InstanceBuffer tileLines{kRectAttributes, sizeof(RectInstance)};
  GlFlights flights;
  std::vector<std::unique_ptr<ValueTexture>> values, details;
};

void setColor(GLint location, Color c) {
  glUniform3f(location, float(c.r) / 255, float(c.g) / 255, float(c.b) / 255);
}

struct Span {
  GLint first = 0, count = 0;
};

/// The position of a matrix on the screen, in pixels.
class MatrixOnScreen {
 public:
  MatrixOnScreen(const MatrixQuad& quad, const Target& target) {
    const Box box = target.camera.toScreen(quad.box);
    const auto pixel = [&](float x) { return std::round(x * target.scale); };
    left = pixel(box.x);
    top = pixel(box.y);
    right = std::max(left + 1, pixel(box.x + box.width));
    bottom = std::max(top + 1, pixel(box.y + box.height));
    cellX = (right - left) / float(std::max(1U, quad.columns));
    cellY = (bottom - top) / float(std::max(1U, quad.rows));
  }
  [[nodiscard]] bool seen(const Target& target) const {
    const Box& drawn = target.drawn;  // The matrix has a frame of one pixel.
    return right >= drawn.x - 1 && bottom >= drawn.y - 1 && left <= drawn.x + drawn.width + 1 &&
           top <= drawn.y + drawn.height + 1;
  }
  [[nodiscard]] bool large(const Target& target) const {
    return std::min(cellX, cellY) >= 12 * target.scale;
  }
  [[nodiscard]] Span visibleColumns(const MatrixQuad& quad, const Target& target) const {
    return visible(left, cellX, quad.columns, target.drawn.x, target.drawn.width);
  }
  [[nodiscard]] Span visibleRows(const MatrixQuad& quad, const Target& target) const {
    return visible(top, cellY, quad.rows, target.drawn.y, target.drawn.height);
  }
  float left, top, right, bottom, cellX, cellY;

 private:
  /// One more cell on each side, because cells are rounded to whole pixels.
  static Span visible(float start, float cell, uint32_t count, float from, float extent) {
    const float first = std::clamp(std::floor((from - start) / cell) - 1, 0.0F, float(count));
    const float end =
        std::clamp(std::ceil((from + extent - start) / cell) + 1, first, float(count));
    return {GLint(first), GLint(end - first)};
  }
};

/// Tile lines fade in between 8 and 24 pixels per tile.
float tileFade(uint32_t spacing, float cell, float scale) {
  const float tile = float(spacing) * cell / scale;
  return spacing == 0 || tile < 8 ? 0 : std::clamp((tile - 8) / 16, 0.25F, 1.0F);
}

/// Adds lines between the tiles of a matrix with large cells. They are one pixel wider than the gap
/// between cells.
void addTileLines(const MatrixQuad& quad, const MatrixOnScreen& on, const Palette& palette,
                  const Target& target, std::vector<RectInstance>& out) {
  const auto add = [&](Box box, float fade) {
    RectInstance r;
    r.box = box;
    r.minPx = 2;
    r.fill = withAlpha(palette.strongLine, fade);
    out.push_back(r);
  };
  const float cellX = quad.box.width / float(quad.columns);
  const float cellY = quad.box.height / float(quad.rows);
  const float fadeX = tileFade(quad.gridColumns, on.cellX, target.scale);
  const float fadeY = tileFade(quad.gridRows, on.cellY, target.scale);
  const Span columns = on.visibleColumns(quad, target), rows = on.visibleRows(quad, target);
  for (GLint c = columns.first + 1; fadeX > 0 && c < columns.first + columns.count; ++c)
    if (c % GLint(quad.gridColumns) == 0)
      add({quad.box.x + float(c) * cellX, quad.box.y, 0, quad.box.height}, fadeX);
  for (GLint r = rows.first + 1; fadeY > 0 && r < rows.first + rows.count; ++r)
    if (r % GLint(quad.gridRows) == 0)
      add({quad.box.x, quad.box.y + float(r) * cellY, quad.box.width, 0}, fadeY);
}

class GlRenderer : public Renderer {
 public:
  struct Programs {
    GlProgram rect, line, mover, matrix, cells;
  };
  explicit GlRenderer(Programs programs) : programs_(std::move(programs)) {
    glGenVertexArrays(1, &noInstances_);
  }
  ~GlRenderer() override { glDeleteVertexArrays(1, &noInstances_); }
  GlRenderer(const GlRenderer&) = delete;
  GlRenderer& operator=(const GlRenderer&) = delete;

  void draw(const SceneCall& scene) override {
    const auto& [slot, layers, camera, view, progress] = scene;
    const Box& box = view.viewport;
    if (!layers || box.width < 1 || box.height < 1) return;
    const bool moving = progress < 1 && !layers->flights.empty();
    // An unchanged call keeps its address, so that the canvas detects no change.
    std::unique_ptr<Call>& call = calls_[slot];
    if (!call || !(call->camera == camera) || !(call->view == view) || call->moving != moving ||
        !(call->layers == layers || drawnAlike(*call->layers, *layers))) {
      std::unique_ptr<Call> next(new Call{this, slot, layers, camera, view, moving});
      std::swap(call, next);
    }
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    list.PushClipRect({box.x, box.y}, {box.x + box.width, box.y + box.height});
    list.AddCallback(onPaint, call.get());
    if (moving) drawFlights(*call, progress, list);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    list.PopClipRect();
  }

 private:
  /// A scene that ImGui's backend draws when it runs the callback.
  struct Call {
    GlRenderer* renderer = nullptr;
    unsigned slot = 0;
    std::shared_ptr<const Layers> layers;
    Camera camera;
    View view;
    bool moving = false;  ///< Draws moving elements instead of static lines.
  };
  /// The movers or the paths of one flight of a scene, at one moment.
  struct Moment {
    const Call* call = nullptr;
    size_t flight = 0;
    float progress = 0;
    bool movers = false;
  };

  /// Draws each flight in its current box only, so that the canvas need not redraw the rest of the
  /// scene.
  void drawFlights(const Call& call, float progress, ImDrawList& list) {
    auto moments = std::make_unique<std::vector<Moment>>();  // New addresses, so that the canvas
                                                             // redraws the flights.
    for (const bool movers : {false, true})
      for (size_t i = 0; i < call.layers->flights.size(); ++i)
        if (movers || !call.layers->flights[i].paths.items.empty())
          moments->push_back({&call, i, progress, movers});
    const Box& viewport = call.view.viewport;
    for (const Moment& moment : *moments) {
      const Flight& flight = call.layers->flights[moment.flight];
      const Box box = call.camera.toScreen(moment.movers ? flight.moversAt(progress)
                                                         : flight.pathsAt(progress));
      constexpr float kMargin = 4;  // For soft edges and enlarged small elements.
      list.PushClipRect(
          {std::floor(viewport.x + box.x - kMargin), std::floor(viewport.y + box.y - kMargin)},
          {std::ceil(viewport.x + box.x + box.width + kMargin),
           std::ceil(viewport.y + box.y + box.height + kMargin)},
          true);
      list.AddCallback(onFlight, const_cast<Moment*>(&moment));
      list.PopClipRect();
    }
    std::swap(moments_[call.slot], moments);
  }

  static void onFlight(const ImDrawList*, const ImDrawCmd* command) {
    const Moment& moment = *static_cast<const Moment*>(command->UserCallbackData);
    const Call& call = *moment.call;
    call.renderer->paintFlight(moment, pixelsOf(*command, *ImGui::GetDrawData()));
  }

  void paintFlight(const Moment& moment, const PixelBox& area) {
    const Call& call = *moment.call;
    GlFlights& flights = buffersOf(call.slot).flights;
    const Target target(call.camera, call.view, area);
    begin(target);
    if (moment.movers)
      flights.drawMovers(*call.layers, moment.flight, moment.progress, target);
    else
      flights.drawPaths(*call.layers, moment.flight, moment.progress, target);
    end();
  }

  static void end() {
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
  }

  static void onPaint(const ImDrawList*, const ImDrawCmd* command) {
    const Call& call = *static_cast<const Call*>(command->UserCallbackData);
    call.renderer->paint(call, pixelsOf(*command, *ImGui::GetDrawData()));
  }

  SceneBuffers& buffersOf(unsigned slot) {
    std::unique_ptr<SceneBuffers>& buffers = scenes_[slot];
    if (!buffers) buffers = std::make_unique<SceneBuffers>(programs_.mover, programs_.line);
    return *buffers;
  }

  void paint(const Call& call, const PixelBox& area) {
    SceneBuffers& buffers = buffersOf(call.slot);
    const std::shared_ptr<const Layers>& layers = call.layers;
    const Target target(call.camera, call.view, area);
    begin(target);
    drawMatrices(*layers, buffers, target);
    setCamera(programs_.rect, target);
    setRing(true);
    buffers.marks.draw(layers->marks, 10);
    setRing(false);
    for (const Stretch& grid : layers->grids)
      if (target.touches(target.camera.toScreen(grid.box), 1))
        buffers.cells.draw(layers->cells, 4, grid.first, grid.count);
    setCamera(programs_.line, target);
    glUniform1f(programs_.line.uniform("uShare"), 0);
    buffers.ribbons.draw(layers->ribbons);
    if (!call.moving) buffers.lines.draw(layers->lines);
    end();
  }

  void setRing(bool ring) const {
    programs_.rect.use();
    glUniform1i(programs_.rect.uniform("uRing"), ring ? 1 : 0);
  }

  void drawMatrices(const Layers& layers, SceneBuffers& buffers, const Target& target) {
    Instances<RectInstance> tileLines;
    glDisable(GL_BLEND);  // Matrices are opaque, and blending is slow in software.
    while (buffers.values.size() < layers.matrices.size()) {
      buffers.values.push_back(std::make_unique<ValueTexture>());
      buffers.details.push_back(std::make_unique<ValueTexture>());
    }
    for (size_t i = 0; i < layers.matrices.size(); ++i) {
      const MatrixQuad& quad = layers.matrices[i];
      const MatrixOnScreen on(quad, target);
      if (!on.seen(target)) continue;
      glBindVertexArray(noInstances_);
      const MatrixPart whole{{0, 0, quad.rows, quad.columns}, quad.picture, false};
      drawPart(quad, whole, on, *buffers.values[i], layers.palette, target);
      if (quad.detail.picture) {
        const MatrixPart detail{quad.detail.area, quad.detail.picture, true};
        drawPart(quad, detail, on, *buffers.details[i], layers.palette, target);
      }
      if (on.large(target)) addTileLines(quad, on, layers.palette, target, tileLines.items);
    }
    glEnable(GL_BLEND);
    tileLines.hash = contentHash(tileLines.items);
    setCamera(programs_.rect, target);
    setRing(false);
    buffers.tileLines.draw(tileLines);
  }

  /// The whole matrix with its picture, or a part of the matrix with a finer picture.
  struct MatrixPart {
    CellRect area;
    std::shared_ptr<const Picture> picture;
    bool isDetail = false;
  };

  void drawPart(const MatrixQuad& quad, const MatrixPart& part, const MatrixOnScreen& on,
                ValueTexture& values, const Palette& palette, const Target& target) const {
    const bool large = on.large(target);
    // Individually visible cells show their own value or no value, but never a mean.
    const bool tooCoarse = part.picture && (part.picture->rows < part.area.rows ||
                                            part.picture->columns < part.area.columns);
    const GLint levels =
        values.bind(large && tooCoarse ? nullptr : part.picture, quad.low, quad.high);
    const GlProgram& program = large ? programs_.cells : programs_.matrix;
    program.use();
    setMatrix(program, quad, on, palette, target);
    const CellRect& area = part.area;
    glUniform4f(program.uniform("uArea"), float(area.column), float(area.row),
                float(area.column + area.columns), float(area.row + area.rows));
    glUniform1i(program.uniform("uAbsent"), quad.absent && !part.isDetail ? 1 : 0);
    if (large) return drawCells(program, quad, part, on, target);
    glUniform1i(program.uniform("uLevels"), levels);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(1 + focusCount(quad)));
  }

  static void drawCells(const GlProgram& program, const MatrixQuad& quad, const MatrixPart& part,
                        const MatrixOnScreen& on, const Target& target) {
    const Span columns = overlap(on.visibleColumns(quad, target), part.area.column,
                                 part.area.column + part.area.columns);
    const Span rows =
        overlap(on.visibleRows(quad, target), part.area.row, part.area.row + part.area.rows);
    if (columns.count <= 0 || rows.count <= 0) return;
    glUniform4i(program.uniform("uVisible"), columns.first, rows.first, columns.count, rows.count);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, columns.count * rows.count);
  }

  static Span overlap(const Span& span, uint32_t first, uint32_t end) {
    const GLint from = std::max(span.first, GLint(first));
    return {from, std::min(span.first + span.count, GLint(end)) - from};
  }

  static size_t focusCount(const MatrixQuad& quad) {
    return std::min(quad.focus.size(), MatrixQuad::kMaxFocus);
  }

  static void setMatrix(const GlProgram& program, const MatrixQuad& quad, const MatrixOnScreen& on,
                        const Palette& palette, const Target& target) {
    glUniform1i(program.uniform("uValues"), 0);
    glUniform3fv(program.uniform("uColorMap"), 6, colorMap().front().data());
    glUniform2f(program.uniform("uViewport"), target.width, target.height);
    glUniform1f(program.uniform("uScale"), target.scale);
    glUniform4f(program.uniform("uBox"), on.left, on.top, on.right, on.bottom);
    glUniform2f(program.uniform("uCells"), float(quad.columns), float(quad.rows));
    const auto spacing = [](uint32_t tile, uint32_t all) {
      return float(tile > 0 ? tile : 4 * all);
    };
    glUniform2f(program.uniform("uTileGrid"), spacing(quad.gridColumns, quad.columns),
                spacing(quad.gridRows, quad.rows));
    glUniform2f(program.uniform("uTileFade"), tileFade(quad.gridColumns, on.cellX, target.scale),
                tileFade(quad.gridRows, on.cellY, target.scale));
    setColor(program.uniform("uSurface"), palette.surface);
    setColor(program.uniform("uBackground"), palette.background);
    setColor(program.uniform("uLine"), palette.line);
    setColor(program.uniform("uStrongLine"), palette.strongLine);
    setFocus(program, quad);
  }

  static void setFocus(const GlProgram& program, const MatrixQuad& quad) {
    std::array<float, 4 * MatrixQuad::kMaxFocus> focus{};
    for (size_t i = 0; i < focusCount(quad); ++i) {
      const CellRect& f = quad.focus[i];
      focus[i * 4] = float(f.column);
      focus[i * 4 + 1] = float(f.row);
      focus[i * 4 + 2] = float(f.column + f.columns);
      focus[i * 4 + 3] = float(f.row + f.rows);
    }
    glUniform4fv(program.uniform("uFocus"), GLsizei(MatrixQuad::kMaxFocus), focus.data());
    glUniform1i(program.uniform("uFocusCount"), GLint(focusCount(quad)));
    glUniform1f(program.uniform("uDim"), quad.dim);
  }

  Programs programs_;
  GLuint noInstances_ = 0;
  std::map<unsigned, std::unique_ptr<SceneBuffers>> scenes_;
  std::map<unsigned, std::unique_ptr<Call>> calls_;
  std::map<unsigned, std::unique_ptr<std::vector<Moment>>> moments_;
};

}  // namespace

Result<std::unique_ptr<Renderer>> makeGlRenderer(const std::filesystem::path& shaderFolder) {
  Result<GlProgram> rect = GlProgram::load(shaderFolder, "rect");
  if (!rect.ok()) return std::move(rect).error();
  Result<GlProgram> line = GlProgram::load(shaderFolder, "line");
  if (!line.ok()) return std::move(line).error();
  Result<GlProgram> mover = GlProgram::load(shaderFolder, "mover");
  if (!mover.ok()) return std::move(mover).error();
  Result<GlProgram> matrix = GlProgram::load(shaderFolder, "matrix");
  if (!matrix.ok()) return std::move(matrix).error();
  Result<GlProgram> cells = GlProgram::load(shaderFolder, "cells");
  if (!cells.ok()) return std::move(cells).error();
  GlRenderer::Programs programs{std::move(rect).value(), std::move(line).value(),
                                std::move(mover).value(), std::move(matrix).value(),
                                std::move(cells).value()};
  return std::unique_ptr<Renderer>(std::make_unique<GlRenderer>(std::move(programs)));
}

}  // namespace tilestep::gfx
