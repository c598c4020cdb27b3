// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/saver.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/utc.h"
#include "features/pins/report.h"
#include "gfx/png.h"
#include "ui/page/page_recorder.h"
#include "ui/shell/saving/save_dialog.h"
#include "ui/shell/saving/save_kinds.h"
#include "ui/shell/saving/step_pictures.h"

namespace tilestep::ui {

void Saver::say(const Status& done, const std::string& what, const std::filesystem::path& path) {
  using Kind = model::Notice::Kind;
  session_.say({done ? Kind::info : Kind::error,
                "picture",
                done ? what + " saved as " + savedPlace(path) + "."
                     : done.error().message +
                           ". Ctrl+S saves it under another name: in a folder that you may write "
                           "to and that has room.",
                {},
                {}});
}

void Saver::save(const SaveWish& wish) {
  if (wish.as == SaveAs::window) return say(window_.savePicture(wish.path), "Picture", wish.path);
  if (wish.as == SaveAs::report) return say(writeReport(wish.path), "Report", wish.path);
  if (kindOf(wish.as).group == SaveGroup::steps) return beginWalk(wish);
  say(writeView(wish), "Picture", wish.path);
}

Status Saver::writeView(const SaveWish& wish) {
  const Result<std::unique_ptr<ViewPainter>> painter = painterFor(wish.as, tools_);
  if (!painter) return painter.error();
  const auto now = session_.snapshot();
  const ViewRequest request{*now, session_, state_, wish.view, wish.print, utcToday()};
  if (!(*painter)->canDraw(request))
    return requestError("\"" + model::nameOfTable(wish.view, *now) +
                        "\" has no picture while it is not on screen: show it first, or save its "
                        "table");
  const Result<std::string> bytes = pictureFileOf(wish.as, request, **painter, tools_);
  return bytes ? writeFileAtomically(wish.path, *bytes) : Status(bytes.error());
}

Status Saver::writeReport(const std::filesystem::path& path) {
  const Result<std::string> png =
      gfx::pngOf(window_.framebufferWidth(), window_.framebufferHeight(), window_.picture());
  if (!png) return png.error();
  const auto bytes = std::as_bytes(std::span<const char>(*png));
  const std::vector<model::ReportPicture> pictures{{"The window", {bytes.begin(), bytes.end()}}};
  return writeFileAtomically(path, model::reportHtml(*session_.snapshot(), pictures, utcNow()));
}

Result<std::unique_ptr<StepRecorder>> Saver::recorderFor(const SaveWish& wish) const {
  const StepLook look{wish.print, utcToday()};
  if (wish.as == SaveAs::webPage)
    return std::unique_ptr<StepRecorder>(
        std::make_unique<PageRecorder>(tools_.fonts, wish.path, tools_.home));
  if (wish.as == SaveAs::stepPdf) return StepPages::make(wish.path, look, tools_);
  return StepPictures::make(wish.as, wish.path, look, tools_);
}

void Saver::beginWalk(const SaveWish& wish) {
  Result<std::unique_ptr<StepRecorder>> recorder = recorderFor(wish);
  if (!recorder) return say(recorder.error(), "", wish.path);
  walk_.emplace(session_, state_, std::move(*recorder));
}

void Saver::stop() {
  if (walk_) walk_->stop();
}

void Saver::advance(bool still, double now) {
  if (!walk_) return;
  if (state_.pageProgress.stop) walk_->stop();
  if (!walk_->ended()) return walk_->advance(session_, state_, still, now);
  session_.say(walk_->finish(session_, state_));
  walk_.reset();
}

}  // namespace tilestep::ui
