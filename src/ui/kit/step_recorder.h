// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// Collects steps that are shown one after another, and writes them to files. Main thread only,
/// outside a frame.
class StepRecorder {
 public:
  virtual ~StepRecorder() = default;
  /// Adds the step that the snapshot shows. `ui` has the window's settings for it.
  virtual Status add(const model::Snapshot& now, model::Session& session, const UiState& ui) = 0;
  [[nodiscard]] virtual size_t size() const = 0;
  /// Information that a reader needs before the first step.
  virtual void note(std::string text) = 0;
  /// The parts that are missing in the steps' pictures, in sentences; empty if nothing is missing.
  [[nodiscard]] virtual std::string lacks() const { return {}; }
  [[nodiscard]] virtual Status finish() = 0;
  /// Removes what was already written, because the user has stopped.
  virtual void discard() = 0;
  /// The kind of result, as in "Writing the web page".
  [[nodiscard]] virtual std::string name() const = 0;
  /// The resulting file or folder.
  [[nodiscard]] virtual const std::filesystem::path& path() const = 0;
};

}  // namespace tilestep::ui
