// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gfx/gl/gl_buffers.h"
#include "gfx/gl/gl_program.h"
#include "gfx/gl/gl_target.h"

namespace tilestep::gfx {

/// Draws moving elements. Needs a current OpenGL context, also for its destruction.
class GlFlights {
 public:
  /// Both programs must outlive this object.
  GlFlights(const GlProgram& mover, const GlProgram& line) : mover_(mover), line_(line) {}
  void drawPaths(const Layers& layers, size_t flight, float progress, const Target& target);
  void drawMovers(const Layers& layers, size_t flight, float progress, const Target& target);

 private:
  struct Buffers {
    InstanceBuffer movers{kMoverAttributes, sizeof(MoverInstance)};
    InstanceBuffer paths{kLineAttributes, sizeof(LineInstance)};
  };
  Buffers& buffersOf(size_t flight);

  const GlProgram& mover_;
  const GlProgram& line_;
  std::vector<std::unique_ptr<Buffers>> buffers_;
};

}  // namespace tilestep::gfx
