// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/step_pictures.h"

#include <cstdio>
#include <system_error>
#include <utility>

#include "gfx/drawing/compact.h"
#include "ui/kit/user_files.h"
#include "ui/page/page_step.h"
#include "ui/shell/saving/view_words.h"

namespace tilestep::ui {
namespace {

namespace fs = std::filesystem;

ViewRequest requestOf(const model::Snapshot& now, model::Session& session, const UiState& ui,
                      const StepLook& look) {
  return {now, session, ui, std::string(viewInFront(ui, now)), look.print, look.day};
}

/// "01", with more digits if there are more pictures.
std::string numberOf(size_t place) {
  char text[24];
  std::snprintf(text, sizeof text, "%02zu", place);
  return text;
}

}  // namespace

StepPictures::StepPictures(SaveAs as, fs::path folder, StepLook look, PictureTools tools,
                           std::unique_ptr<ViewPainter> painter)
    : as_(as),
      folder_(std::move(folder)),
      look_(std::move(look)),
      tools_(std::move(tools)),
      painter_(std::move(painter)) {}

Result<std::unique_ptr<StepRecorder>> StepPictures::make(SaveAs as, fs::path folder, StepLook look,
                                                         const PictureTools& tools) {
  Result<std::unique_ptr<ViewPainter>> painter = painterFor(as, tools);
  if (!painter) return painter.error();
  std::error_code failed;
  const bool made = fs::create_directory(folder, failed);
  if (failed)
    return requestError("The folder " + folder.string() +
                        " cannot be created: " + failed.message() +
                        ". Name a folder inside a writable folder with enough free space");
  if (!made)
    return requestError(folder.string() + " already exists, and pictures need a new folder");
  return std::unique_ptr<StepRecorder>(
      new StepPictures(as, std::move(folder), std::move(look), tools, std::move(*painter)));
}

Status StepPictures::add(const model::Snapshot& now, model::Session& session, const UiState& ui) {
  const ViewRequest request = requestOf(now, session, ui, look_);
  const Result<PictureFile> picture = pictureFileOf(as_, request, *painter_, tools_);
  if (!picture) return picture.error();
  const char* extension = as_ == SaveAs::stepSvgs ? ".svg" : ".png";
  fs::path file = folder_ / (numberOf(files_.size() + 1) + extension);
  if (Status written = writeSaved(file, picture->bytes); !written) return written;
  gaps_.add(files_.size() + 1, picture->lacks);
  files_.push_back(std::move(file));
  return {};
}

Status StepPictures::finish() {
  return note_.empty() ? Status() : writeSaved(folder_ / "note.txt", note_ + "\n");
}

void StepPictures::discard() {
  std::error_code ignored;
  for (const fs::path& file : files_) fs::remove(file, ignored);
  fs::remove(folder_, ignored);  // Removes the folder only if nothing else is in it.
}

StepPages::StepPages(fs::path file, StepLook look, PictureTools tools,
                     std::unique_ptr<ViewPainter> painter)
    : file_(std::move(file)),
      look_(std::move(look)),
      tools_(std::move(tools)),
      painter_(std::move(painter)) {}

Result<std::unique_ptr<StepRecorder>> StepPages::make(fs::path file, StepLook look,
                                                      const PictureTools& tools) {
  Result<std::unique_ptr<ViewPainter>> painter = painterFor(SaveAs::stepPdf, tools);
  if (!painter) return painter.error();
  if (const Result<std::string> empty = pdfFileOf({}, {}, tools); !empty) return empty.error();
  return std::unique_ptr<StepRecorder>(
      new StepPages(std::move(file), std::move(look), tools, std::move(*painter)));
}

Status StepPages::add(const model::Snapshot& now, model::Session& session, const UiState& ui) {
  if (pages_.empty()) info_.title = emptyPageOf(now).title;
  ViewRequest request = requestOf(now, session, ui, look_);
  if (pages_.empty()) request.note = info_.subject;
  Result<ViewShapes> shapes = painter_->shapes(request);
  if (!shapes) return shapes.error();
  gaps_.add(pages_.size() + 1, shapes->lacks);
  gfx::PdfPage page = pageOf(std::move(*shapes));
  page.drawing = gfx::compacted(page.drawing);
  pages_.push_back(std::move(page));
  return {};
}

Status StepPages::finish() {
  const Result<std::string> bytes = pdfFileOf(pages_, info_, tools_);
  return bytes ? writeSaved(file_, *bytes) : Status(bytes.error());
}

}  // namespace tilestep::ui
