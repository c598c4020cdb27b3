// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ui/kit/step_recorder.h"
#include "ui/shell/saving/picture_file.h"
#include "ui/shell/saving/picture_gaps.h"

namespace tilestep::ui {

/// Settings for pictures of steps. Each picture shows the view that the step displays in front.
struct StepLook {
  bool print = false;  ///< In print colours.
  std::string day;     ///< Printed below each picture.
};

/// Writes a numbered picture of each step into a folder: 01.png, 02.png and so on.
class StepPictures : public StepRecorder {
 public:
  /// `as`: SaveAs::stepPngs or stepSvgs. Creates the folder; an existing one is an error, so that
  /// no file is replaced.
  static Result<std::unique_ptr<StepRecorder>> make(SaveAs as, std::filesystem::path folder,
                                                    StepLook look, const PictureTools& tools);

  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui) override;
  [[nodiscard]] size_t size() const override { return files_.size(); }
  void note(std::string text) override { note_ = std::move(text); }
  [[nodiscard]] std::string lacks() const override { return gaps_.text(); }
  /// Writes the note, if any, as a text file beside the pictures.
  [[nodiscard]] Status finish() override;
  void discard() override;
  [[nodiscard]] std::string name() const override { return "folder of pictures"; }
  [[nodiscard]] const std::filesystem::path& path() const override { return folder_; }

 private:
  StepPictures(SaveAs as, std::filesystem::path folder, StepLook look, PictureTools tools,
               std::unique_ptr<ViewPainter> painter);

  SaveAs as_;
  std::filesystem::path folder_;
  StepLook look_;
  PictureTools tools_;
  std::unique_ptr<ViewPainter> painter_;
  std::vector<std::filesystem::path> files_;
  StepGaps gaps_;
  std::string note_;
};

/// Writes the steps as a PDF file with one page each. The note is on the first page.
class StepPages : public StepRecorder {
 public:
  /// An error if a PDF cannot be made here, for example without fonts.
  static Result<std::unique_ptr<StepRecorder>> make(std::filesystem::path file, StepLook look,
                                                    const PictureTools& tools);

  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui) override;
  [[nodiscard]] size_t size() const override { return pages_.size(); }
  void note(std::string text) override { info_.subject = std::move(text); }
  [[nodiscard]] std::string lacks() const override { return gaps_.text(); }
  [[nodiscard]] Status finish() override;
  void discard() override {}
  [[nodiscard]] std::string name() const override { return "PDF"; }
  [[nodiscard]] const std::filesystem::path& path() const override { return file_; }

 private:
  StepPages(std::filesystem::path file, StepLook look, PictureTools tools,
            std::unique_ptr<ViewPainter> painter);

  std::filesystem::path file_;
  StepLook look_;
  PictureTools tools_;
  std::unique_ptr<ViewPainter> painter_;
  std::vector<gfx::PdfPage> pages_;
  StepGaps gaps_;
  gfx::PdfInfo info_;
};

}  // namespace tilestep::ui
