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

/// A program that comes with Tilestep (assets/programs/NAME.cu) and that the user may change.
struct Example {
  std::filesystem::path file;  ///< The user's copy; the shipped file if copies are not kept.
  std::string text;            ///< The shipped text.
};

/// Copies the program into the user's folder, unless a copy exists. Never changes an existing copy.
[[nodiscard]] Result<Example> exampleOf(const model::SessionOptions& options,
                                        const std::string& name);

/// Opens the copy, and keeps the shipped text among its versions. `open` opens a file in the window
/// and runs it; it returns false if it opened nothing. Returns the result of `open`.
bool openExample(model::Model& model, OpenText& text, const std::string& name,
                 const std::function<bool(const std::string& path)>& open);

}  // namespace tilestep::features
