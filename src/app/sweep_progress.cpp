// SPDX-License-Identifier: Apache-2.0
#include "app/sweep_progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "app/environment.h"
#include "base/figure.h"

namespace tilestep::app {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kOnTerminal{100}, kElsewhere{10000};

}  // namespace

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

bool StatusLine::due() const {
  return Clock::now() - shownAt_ >= (terminal_ ? kOnTerminal : kElsewhere);
}

void StatusLine::show(const std::string& line, const std::string& detail) {
  shownAt_ = Clock::now();
  if (!terminal_) return say("tilestep: " + line);
  const std::string shown = detail.empty() ? line : line + " · " + detail;
  std::fprintf(stderr, "\r\033[K%s …", shown.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void StatusLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

SweepProgress::SweepProgress(size_t before, size_t planned) : before_(before), planned_(planned) {}

std::string SweepProgress::text(size_t finished, Clock::time_point now) const {
  std::string line = std::to_string(before_ + finished) + " of " + std::to_string(planned_) +
                     (planned_ == 1 ? " point" : " points");
  const double passed = std::chrono::duration<double>(now - started_).count();
  const size_t left = planned_ - before_ - finished;
  if (finished > 0 && left > 0) {
    line += " · " + roughly(passed / static_cast<double>(finished) * static_cast<double>(left)) +
            " left";
  }
  return line;
}

void SweepProgress::show(size_t finished, const std::optional<worker::Progress>& progress) {
  if (progress) stage_ = progressText(*progress);
  if (line_.due()) line_.show(text(finished, Clock::now()), stage_);
}

}  // namespace tilestep::app
