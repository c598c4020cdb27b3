// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <epoxy/gl.h>

#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

namespace tilestep::gfx {

/// A linked shader program. Must be destroyed while the context is current.
class GlProgram {
 public:
  /// Loads NAME.vert and NAME.frag from a folder. The error names the file and quotes the first
  /// line of the driver's message.
  static Result<GlProgram> load(const std::filesystem::path& folder, const std::string& name);
  GlProgram(GlProgram&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlProgram& operator=(GlProgram&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~GlProgram() { glDeleteProgram(id_); }

  void use() const { glUseProgram(id_); }
  /// The uniform's location. -1 if the driver removed the uniform because it is unused; OpenGL
  /// ignores this location.
  [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(id_, name); }

 private:
  explicit GlProgram(GLuint id) : id_(id) {}
  GLuint id_ = 0;
};

}  // namespace tilestep::gfx
