// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "model/export/page.h"
#include "ui/page/page_painter.h"

namespace tilestep::ui {

/// Collects the steps that are shown one after another, and writes them as one web page. For the
/// main thread, and not within a frame.
class PageRecorder {
 public:
  explicit PageRecorder(const FontFiles& files) : painter_(files) {}

  /// Adds the step that the snapshot shows. `ui`: what the window shows of it. The first step also
  /// gives the page its title. An error where the pictures cannot be made here.
  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui);
  [[nodiscard]] size_t size() const { return page_.steps.size(); }
  /// Says what a reader must know before the first step.
  void note(std::string text) { page_.note = std::move(text); }
  /// Writes the page with the look that lies in `home`/assets/page.
  [[nodiscard]] Status write(const std::filesystem::path& file,
                             const std::filesystem::path& home) const;

 private:
  model::PagePicture pictureOf(const PagePanel& panel, const std::string& name,
                               const std::string& description);

  PagePainter painter_;
  model::Page page_;
  size_t pictures_ = 0;
};

}  // namespace tilestep::ui
