// SPDX-License-Identifier: Apache-2.0
#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "gfx/gl_program.h"
#include "gfx/renderer.h"
#include "gfx/value_texture.h"

namespace tilestep::gfx {
namespace {

struct Attribute {
  GLint size;
  GLenum type;
  size_t offset;
};

// The vertex shaders read these structs as they lie in memory.
static_assert(sizeof(RectInstance) == 64 && offsetof(RectInstance, glowPx) == 32 &&
              offsetof(RectInstance, fill) == 52 && offsetof(RectInstance, rest) == 60);
static_assert(sizeof(LineInstance) == 28 && offsetof(LineInstance, color) == 24);

constexpr std::array<Attribute, 7> kRectAttributes = {{{4, GL_FLOAT, 0},
                                                       {4, GL_FLOAT, 16},
                                                       {4, GL_FLOAT, 32},
                                                       {1, GL_FLOAT, 48},
                                                       {4, GL_UNSIGNED_BYTE, 52},
                                                       {4, GL_UNSIGNED_BYTE, 56},
                                                       {4, GL_UNSIGNED_BYTE, 60}}};
constexpr std::array<Attribute, 3> kLineAttributes = {
    {{4, GL_FLOAT, 0}, {2, GL_FLOAT, 16}, {4, GL_UNSIGNED_BYTE, 24}}};

/// A vertex array with one buffer of instances; uploads only what changed.
class InstanceBuffer {
 public:
  template <size_t N>
  InstanceBuffer(const std::array<Attribute, N>& attributes, size_t stride) {
    glGenVertexArrays(1, &array_);
    glGenBuffers(1, &buffer_);
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    for (GLuint i = 0; i < N; ++i) {
      const Attribute& a = attributes[i];
      const GLboolean normalised = a.type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE;
      glEnableVertexAttribArray(i);
      glVertexAttribPointer(i, a.size, a.type, normalised, GLsizei(stride),
                            reinterpret_cast<const void*>(a.offset));
      glVertexAttribDivisor(i, 1);
    }
  }
  ~InstanceBuffer() {
    glDeleteBuffers(1, &buffer_);
    glDeleteVertexArrays(1, &array_);
  }
  InstanceBuffer(const InstanceBuffer&) = delete;
  InstanceBuffer& operator=(const InstanceBuffer&) = delete;

  template <class T>
  void draw(const Instances<T>& instances) {
    if (instances.items.empty()) return;
    glBindVertexArray(array_);
    if (!filled_ || hash_ != instances.hash) {
      glBindBuffer(GL_ARRAY_BUFFER, buffer_);
      glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(instances.items.size() * sizeof(T)),
                   instances.items.data(), GL_DYNAMIC_DRAW);
      hash_ = instances.hash;
      filled_ = true;
    }
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(instances.items.size()));
  }

 private:
  GLuint array_ = 0, buffer_ = 0;
  uint64_t hash_ = 0;
  bool filled_ = false;
};

/// A matrix's values on the GPU. Holds the picture, so that its address stays its own.
class ValueTexture {
 public:
  ValueTexture() { glGenTextures(1, &texture_); }
  ~ValueTexture() { glDeleteTextures(1, &texture_); }
  ValueTexture(const ValueTexture&) = delete;
  ValueTexture& operator=(const ValueTexture&) = delete;

  /// Binds it to the current texture unit; true when it has values.
  bool bind(const MatrixQuad& quad) {
    glBindTexture(GL_TEXTURE_2D, texture_);
    if (quad.picture != picture_ || quad.low != low_ || quad.high != high_) upload(quad);
    return filled_;
  }

 private:
  void upload(const MatrixQuad& quad) {
    picture_ = quad.picture;
    low_ = quad.low;
    high_ = quad.high;
    const ValueBytes values = picture_ ? valueBytes(*picture_, low_, high_) : ValueBytes{};
    filled_ = !values.bytes.empty();
    if (!filled_) return;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, GLsizei(values.columns), GLsizei(values.rows), 0, GL_RG,
                 GL_UNSIGNED_BYTE, values.bytes.data());
    // Small matrices are never drawn smaller than a pixel a cell: spare them the averages.
    const bool averaged = std::max(values.rows, values.columns) > 128;
    if (averaged) glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    averaged ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }

  GLuint texture_ = 0;
  std::shared_ptr<const Picture> picture_;
  float low_ = 0, high_ = 0;
  bool filled_ = false;
};

/// What stays on the GPU for one scene.
struct SceneBuffers {
  InstanceBuffer marks{kRectAttributes, sizeof(RectInstance)};
  InstanceBuffer cells{kRectAttributes, sizeof(RectInstance)};
  InstanceBuffer movers{kRectAttributes, sizeof(RectInstance)};
  InstanceBuffer lines{kLineAttributes, sizeof(LineInstance)};
  std::vector<std::unique_ptr<ValueTexture>> values;
};

void setColor(GLint location, Color c) {
  glUniform3f(location, float(c.r) / 255, float(c.g) / 255, float(c.b) / 255);
}

/// One scene's rectangle of the framebuffer, in pixels.
struct Target {
  Target(const Camera& camera, const View& view)
      : scale(view.framebufferScale),
        x(std::round(view.viewport.x * scale)),
        y(std::round(view.viewport.y * scale)),
        width(std::max(1.0F, std::round(view.viewport.width * scale))),
        height(std::max(1.0F, std::round(view.viewport.height * scale))),
        bottom(float(view.framebufferHeight) - y - height),
        origin(camera.origin()),
        zoom(camera.zoom()) {}
  float scale, x, y, width, height, bottom;
  Point origin;
  float zoom;
};

void setCamera(const GlProgram& program, const Target& target) {
  program.use();
  glUniform2f(program.uniform("uOrigin"), target.origin.x, target.origin.y);
  glUniform1f(program.uniform("uZoom"), target.zoom);
  glUniform1f(program.uniform("uScale"), target.scale);
  glUniform2f(program.uniform("uViewport"), target.width, target.height);
}

class GlRenderer : public Renderer {
 public:
  GlRenderer(GlProgram rect, GlProgram line, GlProgram matrix)
      : rect_(std::move(rect)), line_(std::move(line)), matrix_(std::move(matrix)) {
    glGenVertexArrays(1, &noInstances_);
    makeColors();
  }
  ~GlRenderer() override {
    glDeleteVertexArrays(1, &noInstances_);
    glDeleteTextures(1, &colors_);
  }
  GlRenderer(const GlRenderer&) = delete;
  GlRenderer& operator=(const GlRenderer&) = delete;

  void draw(unsigned slot, std::shared_ptr<const Layers> layers, const Camera& camera,
            const View& view) override {
    if (!layers || view.viewport.width < 1 || view.viewport.height < 1) return;
    std::unique_ptr<SceneBuffers>& buffers = scenes_[slot];
    if (!buffers) buffers = std::make_unique<SceneBuffers>();
    const Target target(camera, view);
    begin(target);
    drawMatrices(*layers, *buffers, camera, target);
    setCamera(rect_, target);
    buffers->marks.draw(layers->marks);
    buffers->cells.draw(layers->cells);
    setCamera(line_, target);
    buffers->lines.draw(layers->lines);
    rect_.use();
    buffers->movers.draw(layers->movers);
    end();
  }

 private:
  void makeColors() {
    std::array<uint8_t, size_t{256} * 3> bytes{};
    for (size_t i = 0; i < 256; ++i) {
      const Color c = valueColor(float(i) / 255);
      bytes[i * 3] = c.r;
      bytes[i * 3 + 1] = c.g;
      bytes[i * 3 + 2] = c.b;
    }
    glGenTextures(1, &colors_);
    glBindTexture(GL_TEXTURE_2D, colors_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 256, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  }

  static void begin(const Target& target) {
    glViewport(GLint(target.x), GLint(target.bottom), GLsizei(target.width),
               GLsizei(target.height));
    glScissor(GLint(target.x), GLint(target.bottom), GLsizei(target.width), GLsizei(target.height));
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
  }
  static void end() {
    glDisable(GL_SCISSOR_TEST);
    glBindVertexArray(0);
    glUseProgram(0);
  }

  void drawMatrices(const Layers& layers, SceneBuffers& buffers, const Camera& camera,
                    const Target& target) {
    matrix_.use();
    glBindVertexArray(noInstances_);
    glDisable(GL_BLEND);  // matrices are opaque, and on a CPU blending costs
    glUniform2f(matrix_.uniform("uViewport"), target.width, target.height);
    glUniform1f(matrix_.uniform("uScale"), target.scale);
    glUniform1i(matrix_.uniform("uValues"), 0);
    glUniform1i(matrix_.uniform("uColors"), 1);
    setColor(matrix_.uniform("uSurface"), layers.palette.surface);
    setColor(matrix_.uniform("uBackground"), layers.palette.background);
    setColor(matrix_.uniform("uLine"), layers.palette.line);
    setColor(matrix_.uniform("uStrongLine"), layers.palette.strongLine);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, colors_);
    glActiveTexture(GL_TEXTURE0);
    while (buffers.values.size() < layers.matrices.size())
      buffers.values.push_back(std::make_unique<ValueTexture>());
    for (size_t i = 0; i < layers.matrices.size(); ++i)
      drawMatrix(layers.matrices[i], *buffers.values[i], camera, target);
    glEnable(GL_BLEND);
  }

  void drawMatrix(const MatrixQuad& quad, ValueTexture& values, const Camera& camera,
                  const Target& target) {
    const Box box = camera.toScreen(quad.box);
    const auto pixel = [&](float x) { return std::round(x * target.scale); };
    const float left = pixel(box.x), top = pixel(box.y);
    glUniform4f(matrix_.uniform("uBox"), left, top, std::max(left + 1, pixel(box.x + box.width)),
                std::max(top + 1, pixel(box.y + box.height)));
    glUniform2f(matrix_.uniform("uCells"), float(quad.columns), float(quad.rows));
    glUniform2f(matrix_.uniform("uTileGrid"), float(quad.gridColumns), float(quad.gridRows));
    std::array<float, 4 * MatrixQuad::kMaxFocus> focus{};
    const size_t count = std::min(quad.focus.size(), MatrixQuad::kMaxFocus);
    for (size_t i = 0; i < count; ++i) {
      const CellRect& f = quad.focus[i];
      focus[i * 4] = float(f.column);
      focus[i * 4 + 1] = float(f.row);
      focus[i * 4 + 2] = float(f.column + f.columns);
      focus[i * 4 + 3] = float(f.row + f.rows);
    }
    glUniform4fv(matrix_.uniform("uFocus"), GLsizei(MatrixQuad::kMaxFocus), focus.data());
    glUniform1i(matrix_.uniform("uFocusCount"), GLint(count));
    glUniform1f(matrix_.uniform("uDim"), quad.dim);
    glUniform1i(matrix_.uniform("uHasValues"), values.bind(quad) ? 1 : 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }

  GlProgram rect_, line_, matrix_;
  GLuint noInstances_ = 0, colors_ = 0;
  std::map<unsigned, std::unique_ptr<SceneBuffers>> scenes_;
};

}  // namespace

Result<std::unique_ptr<Renderer>> makeGlRenderer(const std::filesystem::path& shaderFolder) {
  Result<GlProgram> rect = GlProgram::load(shaderFolder, "rect");
  if (!rect.ok()) return std::move(rect).error();
  Result<GlProgram> line = GlProgram::load(shaderFolder, "line");
  if (!line.ok()) return std::move(line).error();
  Result<GlProgram> matrix = GlProgram::load(shaderFolder, "matrix");
  if (!matrix.ok()) return std::move(matrix).error();
  return std::unique_ptr<Renderer>(std::make_unique<GlRenderer>(
      std::move(rect).value(), std::move(line).value(), std::move(matrix).value()));
}

}  // namespace tilestep::gfx
