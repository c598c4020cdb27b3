// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/command.h"
#include "model/export/table.h"
#include "model/view.h"

/// The interface between the shared state and each feature.
namespace tilestep::model {

struct Arrival;        // model/jobs.h
struct Model;          // model/model.h
struct Place;          // model/files/saved.h
struct Resolved;       // model/choice/resolved.h
struct RooflineMarks;  // model/roofline_marks.h
struct Snapshot;       // model/snapshot.h

/// The inputs of a feature's view: the shared state, the resolved choice, and the shared part of
/// the next snapshot. Valid only during the call.
struct Moment {
  const Model& model;
  const Resolved& resolved;
  const Snapshot& shared;
  const RooflineMarks& marks;  ///< All features' marks; empty while they are being collected.
};

/// One feature of the window. Created once; keeps its state between calls. One thread only.
/// Functions that get a mutable Model must report whether they changed it.
class Feature {
 public:
  virtual ~Feature() = default;
  /// The name of the feature's folder, view and job, and the part of its commands before the dot.
  [[nodiscard]] virtual std::string_view id() const = 0;

  /// Called once, before the first choice is made.
  virtual void start(Model& /*model*/) {}
  virtual void restore(const Place& /*place*/, Model& /*model*/) {}
  virtual void save(Place& /*place*/) const {}

  /// Executes one of the feature's commands. False if it had no effect.
  virtual bool apply(const Command& /*command*/, Model& /*model*/) { return false; }
  /// Requests the results that the feature needs (Model::jobs), and drops requests that it no
  /// longer needs. Called after each change of the choice and after each answer. Repeating a
  /// request has no effect.
  virtual void want(Model& /*model*/) {}
  /// Receives an answer or error to one of the feature's jobs or questions.
  virtual void accept(const Arrival& /*arrival*/, Model& /*model*/) {}
  /// Called in each Session::poll before anything is published, to adopt results of other threads.
  virtual void poll(Model& /*model*/) {}
  /// Whether the feature is working on another thread, so that poll() must be called again soon.
  [[nodiscard]] virtual bool works() const { return false; }

  virtual void addMarks(const Moment& /*moment*/, RooflineMarks& /*to*/) {}
  /// The feature's current view; null if there is nothing to show. Called once per Session::poll,
  /// after all answers and commands. If no input has changed, it returns the previous view, so that
  /// nothing is computed twice.
  [[nodiscard]] virtual ViewPointer view(const Moment& /*moment*/) { return nullptr; }
  /// The tables that can be copied and saved, in the order in which they are offered.
  [[nodiscard]] virtual std::vector<TableKind> tables() const { return {}; }
};
using Features = std::vector<std::unique_ptr<Feature>>;

}  // namespace tilestep::model
