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

/// A program that comes with Tilestep (assets/programs/NAME.cu), for a person to change.
struct Example {
  std::filesystem::path file;  ///< The person's copy; the shipped file where nothing is kept.
  std::string text;            ///< As it comes with Tilestep.
};

/// Copies it into the person's folder where no copy is there yet. One that is there stays as it is.
[[nodiscard]] Result<Example> exampleOf(const model::SessionOptions& options,
                                        const std::string& name);

/// Opens the copy, and keeps the shipped text among its versions. `open` opens a file in the window
/// and runs it; false: there was nothing to open. Returns what it returns.
bool openExample(model::Model& model, OpenText& text, const std::string& name,
                 const std::function<bool(const std::string& path)>& open);

}  // namespace tilestep::features
