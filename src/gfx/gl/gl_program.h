// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <epoxy/gl.h>

#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

namespace tilestep::gfx {

/// A linked shader program; movable, freed with its owner while the context is still current.
class GlProgram {
 public:
  /// From NAME.vert and NAME.frag in a folder; an Error names the file and the driver's first line.
  static Result<GlProgram> load(const std::filesystem::path& folder, const std::string& name);
  GlProgram(GlProgram&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlProgram& operator=(GlProgram&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~GlProgram() { glDeleteProgram(id_); }

  void use() const { glUseProgram(id_); }
  /// -1 (which OpenGL ignores) where the driver dropped an unused one.
  [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(id_, name); }

 private:
  explicit GlProgram(GLuint id) : id_(id) {}
  GLuint id_ = 0;
};

}  // namespace tilestep::gfx
