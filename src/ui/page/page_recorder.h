// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "model/export/page.h"
#include "ui/kit/step_recorder.h"
#include "ui/page/page_painter.h"

namespace tilestep::ui {

class PageRecorder : public StepRecorder {
 public:
  /// Reads the page's style from `home`/assets/page. Returns an error if the style cannot be read
  /// or if pictures cannot be made on this machine.
  static Result<std::unique_ptr<StepRecorder>> make(const FontFiles& fonts,
                                                    std::filesystem::path file,
                                                    const std::filesystem::path& home);

  /// The first step also gives the page its title.
  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui) override;
  [[nodiscard]] size_t size() const override { return page_.steps.size(); }
  void note(std::string text) override { page_.note = std::move(text); }
  [[nodiscard]] Status finish() override;
  void discard() override {}
  [[nodiscard]] std::string name() const override { return "web page"; }
  [[nodiscard]] const std::filesystem::path& path() const override { return file_; }

 private:
  PageRecorder(const FontFiles& fonts, std::filesystem::path file, model::PageLook look)
      : painter_(fonts), file_(std::move(file)), look_(std::move(look)) {}
  model::PagePicture pictureOf(const PagePanel& panel, const std::string& name,
                               const std::string& description);

  PagePainter painter_;
  std::filesystem::path file_;
  model::PageLook look_;
  model::Page page_;
  size_t pictures_ = 0;
};

}  // namespace tilestep::ui
