// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "gfx/camera.h"
#include "gfx/layers.h"

namespace tilestep::gfx {

/// Where on the window a scene goes.
struct View {
  Box viewport;                ///< ImGui coordinates.
  float framebufferScale = 1;  ///< Window::framebufferScale().
  int framebufferHeight = 0;   ///< Pixels.
  bool operator==(const View&) const = default;
};

/// A scene at one moment. `slot` names it: 0 left, 1 right. `progress` of the elements that are
/// on their way, 0..1; 1: at rest.
struct SceneCall {
  unsigned slot = 0;
  std::shared_ptr<const Layers> layers;
  Camera camera;
  View view;
  float progress = 1;
};

/// Draws scenes under ImGui: a call is put into ImGui's background list and carried out by
/// Window::endFrame, and only where the picture changed. Main thread, between Window::beginFrame
/// and endFrame; let the ImGui window over a scene have no background.
///
///     auto layers = std::make_shared<Layers>(buildLayers(model, arrange(*model, request),
///     palette)); renderer.draw({0, layers, camera, view, 1});                  // each frame
///     drawLabels(labelsOf(*layers, camera, w, h), origin, fonts);   // gfx/labels.h
class Renderer {
 public:
  virtual ~Renderer() = default;
  /// Instance buffers and textures are kept by slot, and reused while the layers' hashes and
  /// pictures stay the same.
  virtual void draw(const SceneCall& scene) = 0;
};

/// OpenGL 3.3; needs a current context. Reads shaders/*.vert and *.frag; an Error names the file
/// and what the driver said.
Result<std::unique_ptr<Renderer>> makeGlRenderer(const std::filesystem::path& shaderFolder);

/// A renderer that only remembers what it was asked to draw and needs no display.
class NullRenderer : public Renderer {
 public:
  void draw(const SceneCall& scene) override { calls_.push_back(scene); }
  [[nodiscard]] const std::vector<SceneCall>& calls() const { return calls_; }
  void clear() { calls_.clear(); }

 private:
  std::vector<SceneCall> calls_;
};

}  // namespace tilestep::gfx
