// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "gfx/layers.h"
#include "gfx/value_texture.h"

/// The OpenGL renderer's objects on the GPU. All need a current context, also for their
/// destruction.
namespace tilestep::gfx {

struct Attribute {
  GLint size;
  GLenum type;
  size_t offset;
};

/// The vertex shaders depend on the memory layout of these structs.
static_assert(sizeof(RectInstance) == 64 && offsetof(RectInstance, glowPx) == 32 &&
              offsetof(RectInstance, fill) == 52 && offsetof(RectInstance, rest) == 60);
static_assert(sizeof(MoverInstance) == 44 && offsetof(MoverInstance, share) == 32 &&
              offsetof(MoverInstance, border) == 40);
static_assert(sizeof(LineInstance) == 40 && offsetof(LineInstance, color) == 36);

inline constexpr std::array<Attribute, 7> kRectAttributes = {{{4, GL_FLOAT, 0},
                                                              {4, GL_FLOAT, 16},
                                                              {4, GL_FLOAT, 32},
                                                              {1, GL_FLOAT, 48},
                                                              {4, GL_UNSIGNED_BYTE, 52},
                                                              {4, GL_UNSIGNED_BYTE, 56},
                                                              {4, GL_UNSIGNED_BYTE, 60}}};
inline constexpr std::array<Attribute, 4> kLineAttributes = {
    {{4, GL_FLOAT, 0}, {3, GL_FLOAT, 16}, {2, GL_FLOAT, 28}, {4, GL_UNSIGNED_BYTE, 36}}};
inline constexpr std::array<Attribute, 5> kMoverAttributes = {{{4, GL_FLOAT, 0},
                                                               {4, GL_FLOAT, 16},
                                                               {1, GL_FLOAT, 32},
                                                               {4, GL_UNSIGNED_BYTE, 36},
                                                               {4, GL_UNSIGNED_BYTE, 40}}};

/// A vertex array with one buffer of instances. Uploads only changed instances.
class InstanceBuffer {
 public:
  /// `attributes` must outlive the buffer.
  InstanceBuffer(std::span<const Attribute> attributes, size_t stride)
      : attributes_(attributes), stride_(stride) {
    glGenVertexArrays(1, &array_);
    glGenBuffers(1, &buffer_);
    glBindVertexArray(array_);
    for (GLuint i = 0; i < attributes_.size(); ++i) {
      glEnableVertexAttribArray(i);
      glVertexAttribDivisor(i, 1);
    }
    startAt(0);
  }
  ~InstanceBuffer() {
    glDeleteBuffers(1, &buffer_);
    glDeleteVertexArrays(1, &array_);
  }
  InstanceBuffer(const InstanceBuffer&) = delete;
  InstanceBuffer& operator=(const InstanceBuffer&) = delete;

  template <class T>
  void draw(const Instances<T>& instances, GLsizei vertices = 4) {
    draw(instances, vertices, 0, instances.items.size());
  }
  template <class T>
  void draw(const Instances<T>& instances, GLsizei vertices, size_t first, size_t count) {
    if (count == 0) return;
    glBindVertexArray(array_);
    if (first != first_) startAt(first);
    if (!filled_ || hash_ != instances.hash) {
      glBindBuffer(GL_ARRAY_BUFFER, buffer_);
      glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(instances.items.size() * sizeof(T)),
                   instances.items.data(), GL_DYNAMIC_DRAW);
      hash_ = instances.hash;
      filled_ = true;
    }
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, vertices, GLsizei(count));
  }

 private:
  /// Sets the attributes' offsets, because OpenGL 3.3 has no base instance.
  void startAt(size_t first) {
    first_ = first;
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    for (GLuint i = 0; i < attributes_.size(); ++i) {
      const Attribute& a = attributes_[i];
      const GLboolean normalised = a.type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE;
      glVertexAttribPointer(i, a.size, a.type, normalised, GLsizei(stride_),
                            reinterpret_cast<const void*>(first * stride_ + a.offset));
    }
  }

  std::span<const Attribute> attributes_;
  size_t stride_, first_ = 0;
  GLuint array_ = 0, buffer_ = 0;
  uint64_t hash_ = 0;
  bool filled_ = false;
};

/// A matrix's values on the GPU. Owns the picture, so that its address is not reused.
class ValueTexture {
 public:
  ValueTexture() { glGenTextures(1, &texture_); }
  ~ValueTexture() { glDeleteTextures(1, &texture_); }
  ValueTexture(const ValueTexture&) = delete;
  ValueTexture& operator=(const ValueTexture&) = delete;

  /// Binds the texture to the current texture unit. Without a picture, it is one texel marked as
  /// not written. Returns the number of mipmap levels.
  GLint bind(const std::shared_ptr<const Picture>& picture, float low, float high) {
    glBindTexture(GL_TEXTURE_2D, texture_);
    if (!filled_ || picture != picture_ || low != low_ || high != high_) upload(picture, low, high);
    return levels_;
  }

 private:
  void upload(const std::shared_ptr<const Picture>& picture, float low, float high) {
    picture_ = picture;
    low_ = low;
    high_ = high;
    ValueBytes values = picture_ ? valueBytes(*picture_, low_, high_) : ValueBytes{};
    if (values.bytes.empty()) values = {1, 1, {0, 0}};
    filled_ = true;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, GLsizei(values.columns), GLsizei(values.rows), 0, GL_RG,
                 GL_UNSIGNED_BYTE, values.bytes.data());
    // Small matrices are never drawn smaller than one pixel per cell, so they need no mipmaps.
    const uint32_t longest = std::max(values.rows, values.columns);
    levels_ = longest > 128 ? GLint(std::bit_width(longest)) : 1;
    // The limit is part of the texture, so it also applies to later draws.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, levels_ - 1);
    if (levels_ > 1) glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }

  GLuint texture_ = 0;
  std::shared_ptr<const Picture> picture_;
  float low_ = 0, high_ = 0;
  bool filled_ = false;
  GLint levels_ = 1;
};

}  // namespace tilestep::gfx
