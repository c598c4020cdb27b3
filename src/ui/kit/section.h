// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// A section of the measures: a feature's plot or table under a heading that folds it.
class Section {
 public:
  struct Heading {
    std::string title;
    std::string aside;  ///< Stands small beside the title; may be empty.
  };

  virtual ~Section() = default;
  /// The id of the table that tells the same (model/export/table.h), by which a picture of the
  /// section is saved.
  [[nodiscard]] virtual std::string_view table() const = 0;
  /// Nothing where there is nothing to show at this moment.
  [[nodiscard]] virtual std::optional<Heading> heading(const Context& context) const = 0;
  /// Fills the width of the ImGui window that is open. `room`: the height of all sections, pixels.
  virtual void draw(const Context& context, float room) const = 0;
};
using Sections = std::vector<std::unique_ptr<Section>>;

}  // namespace tilestep::ui
