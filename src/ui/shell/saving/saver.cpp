// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/saver.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/sentence.h"
#include "base/utc.h"
#include "ui/kit/user_files.h"
#include "ui/page/page_recorder.h"
#include "ui/shell/saving/save_kinds.h"
#include "ui/shell/saving/step_pictures.h"

namespace tilestep::ui {

using Kind = model::Notice::Kind;

void Saver::say(Kind kind, std::string text) {
  session_.say({kind, "picture", std::move(text), {}, {}});
}

void Saver::save(const SaveWish& wish) {
  if (kindOf(wish.as).group == SaveGroup::steps) return beginWalk(wish);
  const Result<PictureFile> file = fileOf(wish);
  const Status written = file ? writeSaved(wish.path, file->bytes) : Status(file.error());
  if (!written) return say(Kind::error, asSentence(written.error().message));
  const std::string what = wish.as == SaveAs::report ? "Report" : "Picture";
  const std::string saved = asSentence(what + " saved as " + savedPlace(wish.path));
  file->lacks.empty() ? say(Kind::info, saved) : say(Kind::warning, saved + " " + file->lacks);
}

Result<PictureFile> Saver::fileOf(const SaveWish& wish) {
  if (wish.as != SaveAs::window && wish.as != SaveAs::report) return viewFile(wish);
  Result<std::string> bytes = wish.as == SaveAs::report ? reportFile() : windowPng_();
  if (!bytes) return bytes.error();
  return PictureFile{std::move(*bytes), ""};
}

Result<PictureFile> Saver::viewFile(const SaveWish& wish) {
  const Result<std::unique_ptr<ViewPainter>> painter = painterFor(wish.as, tools_);
  if (!painter) return painter.error();
  const auto now = session_.snapshot();
  const ViewRequest request{*now, session_, state_, wish.view, wish.print, utcToday()};
  if (!(*painter)->canDraw(request))
    return requestError("\"" + model::nameOfTable(wish.view, *now) +
                        "\" has no picture while it is not on screen: show it first, or save its "
                        "table");
  return pictureFileOf(wish.as, request, **painter, tools_);
}

Result<std::string> Saver::reportFile() {
  const Result<std::string> png = windowPng_();
  if (!png) return png.error();
  const auto bytes = std::as_bytes(std::span<const char>(*png));
  return reportOf(*session_.snapshot(), {bytes.begin(), bytes.end()}, utcNow());
}

Result<std::unique_ptr<StepRecorder>> Saver::recorderFor(const SaveWish& wish) const {
  const StepLook look{wish.print, utcToday()};
  if (wish.as == SaveAs::webPage) return PageRecorder::make(tools_.fonts, wish.path, tools_.home);
  if (wish.as == SaveAs::stepPdf) return StepPages::make(wish.path, look, tools_);
  return StepPictures::make(wish.as, wish.path, look, tools_);
}

void Saver::beginWalk(const SaveWish& wish) {
  Result<std::unique_ptr<StepRecorder>> recorder = recorderFor(wish);
  if (!recorder) return say(Kind::error, asSentence(recorder.error().message));
  walk_.emplace(session_, state_, std::move(*recorder));
}

void Saver::stop() {
  if (walk_) walk_->stop();
}

void Saver::advance(bool still, double now) {
  if (!walk_) return;
  if (state_.pageProgress.stop) walk_->stop();
  if (!walk_->ended()) return walk_->advance(session_, state_, still, now);
  endWalk();
}

void Saver::giveUp() {
  if (!walk_) return;
  walk_->stop();
  endWalk();
}

void Saver::endWalk() {
  session_.say(walk_->finish(session_, state_));
  walk_.reset();
}

}  // namespace tilestep::ui
