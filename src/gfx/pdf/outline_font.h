// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gfx/camera.h"

namespace tilestep::gfx {

/// A part of a glyph's outline. A curve is a cubic Bézier curve from the last point.
struct OutlineStep {
  enum class Kind : uint8_t { move, line, curve };
  Kind kind = Kind::move;
  Point first, second;  ///< The control points of a curve.
  Point to;
};

/// A TrueType or OpenType font whose outlines can be read. All lengths are shares of the em, and y
/// points upwards.
class OutlineFont {
 public:
  /// An error where the file is missing or is no such font.
  static Result<OutlineFont> read(const std::string& path);
  OutlineFont(OutlineFont&&) noexcept;
  OutlineFont& operator=(OutlineFont&&) noexcept;
  ~OutlineFont();

  /// The file's name without its ending: "Inter-Regular".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The glyph of a character; 0: the font has none.
  [[nodiscard]] int glyphOf(char32_t character) const;
  [[nodiscard]] float advanceOf(int glyph) const;
  [[nodiscard]] std::vector<OutlineStep> outlineOf(int glyph) const;
  [[nodiscard]] float ascent() const { return ascent_; }
  [[nodiscard]] float descent() const { return descent_; }  ///< Negative.

 private:
  struct Data;
  OutlineFont();
  std::unique_ptr<Data> data_;
  std::string name_;
  float ascent_ = 0, descent_ = 0;
};

}  // namespace tilestep::gfx
