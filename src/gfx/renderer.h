// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "gfx/camera.h"
#include "gfx/layers.h"

namespace tilestep::gfx {

/// A scene's position in the window.
struct View {
  Box viewport;                ///< ImGui coordinates.
  float framebufferScale = 1;  ///< Window::framebufferScale().
  int framebufferHeight = 0;   ///< Pixels.
  bool operator==(const View&) const = default;
};

struct SceneCall {
  unsigned slot = 0;  ///< Identifies the scene: 0 left, 1 right.
  std::shared_ptr<const Layers> layers;
  Camera camera;
  View view;
  float progress = 1;  ///< Progress of the moving elements, from 0 to 1 (at rest).
};

/// Draws scenes below ImGui. A call is added to ImGui's background list and executed by
/// Window::endFrame, only where the picture has changed. Call it from the main thread between
/// Window::beginFrame and endFrame. The ImGui window over a scene must have no background.
///
///     auto layers = std::make_shared<Layers>(
///         buildLayers(model, arrange(*model, request), palette));
///     renderer.draw({0, layers, camera, view, 1});                  // each frame
///     drawLabels(labelsOf(*layers, camera, w, h), origin, fonts);   // gfx/labels.h
class Renderer {
 public:
  virtual ~Renderer() = default;
  /// The instance buffers and textures of a slot are reused while the layers' hashes and pictures
  /// stay the same.
  virtual void draw(const SceneCall& scene) = 0;
};

/// Makes the OpenGL 3.3 renderer; needs a current context. Reads *.vert and *.frag from the folder.
/// The error names the file and quotes the driver.
Result<std::unique_ptr<Renderer>> makeGlRenderer(const std::filesystem::path& shaderFolder);

/// A renderer that only records its calls and needs no display.
class NullRenderer : public Renderer {
 public:
  void draw(const SceneCall& scene) override { calls_.push_back(scene); }
  [[nodiscard]] const std::vector<SceneCall>& calls() const { return calls_; }
  void clear() { calls_.clear(); }

 private:
  std::vector<SceneCall> calls_;
};

}  // namespace tilestep::gfx
