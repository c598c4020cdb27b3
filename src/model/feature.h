// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/export/table.h"
#include "model/view.h"

/// The seam between what all features share and each of them.
namespace tilestep::model {

struct Resolved;  // model/resolved.h
struct Snapshot;  // model/snapshot.h

/// What a feature works its view out from: the parts of the coming snapshot that all features
/// share, and what the choice was resolved to. Valid during the call alone.
struct Moment {
  const Resolved& resolved;
  const Snapshot& shared;
};

/// One thing that the window can show. It owns what it keeps from one turn to the next, and is made
/// once. One thread.
class Feature {
 public:
  virtual ~Feature() = default;
  /// The name of its folder, which is also the name of its view.
  [[nodiscard]] virtual std::string_view id() const = 0;
  /// Its view at this moment; null where there is nothing to show. It is asked once a turn, after
  /// all answers and commands. Where nothing that it depends on changed, it gives the last view
  /// again, so that nothing is worked out twice.
  [[nodiscard]] virtual ViewPointer view(const Moment& /*moment*/) { return nullptr; }
  /// What of it can be copied and saved as rows of cells, in the order in which they are offered.
  [[nodiscard]] virtual std::vector<TableKind> tables() const { return {}; }
};
using Features = std::vector<std::unique_ptr<Feature>>;

}  // namespace tilestep::model
