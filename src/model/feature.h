// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/command.h"
#include "model/export/table.h"
#include "model/view.h"

/// The seam between what all features share and each of them.
namespace tilestep::model {

struct Arrival;        // model/jobs.h
struct Model;          // model/model.h
struct Place;          // model/files/saved.h
struct Resolved;       // model/choice/resolved.h
struct RooflineMarks;  // model/roofline_marks.h
struct Snapshot;       // model/snapshot.h

/// What a feature works its view out from: what all features share, what the choice was resolved
/// to, and the shared part of the coming snapshot. Valid during the call alone.
struct Moment {
  const Model& model;
  const Resolved& resolved;
  const Snapshot& shared;
  const RooflineMarks& marks;  ///< What the features add to the roofline; empty while they do.
};

/// One thing that the window can show. It owns what it keeps from one turn to the next, and is made
/// once. One thread. Functions that get a Model which they may change say what they did by it.
class Feature {
 public:
  virtual ~Feature() = default;
  /// The name of its folder, which is also the name of its view, of its job and before the dot of
  /// its commands.
  [[nodiscard]] virtual std::string_view id() const = 0;

  /// Once, before the first choice is made.
  virtual void start(Model& /*model*/) {}
  /// Takes up what an earlier run left.
  virtual void restore(const Place& /*place*/, Model& /*model*/) {}
  virtual void save(Place& /*place*/) const {}

  /// Carries out one of its commands. False where nothing came of it.
  virtual bool apply(const Command& /*command*/, Model& /*model*/) { return false; }
  /// Asks for what it needs (Model::jobs), and drops what it needs no more. It is called after each
  /// change of the choice and after each answer; asking for the same again changes nothing.
  virtual void want(Model& /*model*/) {}
  /// An answer or error to its job or question.
  virtual void accept(const Arrival& /*arrival*/, Model& /*model*/) {}
  /// Once a turn, before anything is published: takes over what other threads made.
  virtual void poll(Model& /*model*/) {}
  /// It works on another thread, so poll is to be called again soon.
  [[nodiscard]] virtual bool works() const { return false; }

  /// What it adds to the roofline.
  virtual void addMarks(const Moment& /*moment*/, RooflineMarks& /*to*/) {}
  /// Its view at this moment; null where there is nothing to show. It is asked once a turn, after
  /// all answers and commands. Where nothing that it depends on changed, it gives the last view
  /// again, so that nothing is worked out twice.
  [[nodiscard]] virtual ViewPointer view(const Moment& /*moment*/) { return nullptr; }
  /// What of it can be copied and saved as rows of cells, in the order in which they are offered.
  [[nodiscard]] virtual std::vector<TableKind> tables() const { return {}; }
};
using Features = std::vector<std::unique_ptr<Feature>>;

}  // namespace tilestep::model
