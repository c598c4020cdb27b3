// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "features/names.h"

namespace tilestep::model {
struct Model;
struct SessionOptions;
}  // namespace tilestep::model

namespace tilestep::features {

class OpenText;

/// A program that comes with Tilestep (assets/programs/NAME.cu), for the user to change.
struct Example {
  std::filesystem::path file;  ///< The user's copy; the shipped file if nothing is kept.
  std::string text;            ///< As it comes with Tilestep.
};

/// Copies it into the user's folder if there is no copy yet. An existing copy is not changed.
[[nodiscard]] Result<Example> exampleOf(const model::SessionOptions& options,
                                        const std::string& name);

/// Opens the copy, and keeps the shipped text among its versions. `open` opens a file in the window
/// and runs it; false: there was nothing to open. Returns its result.
bool openExample(model::Model& model, OpenText& text, const std::string& name,
                 const std::function<bool(const std::string& path)>& open);

}  // namespace tilestep::features
