// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/feature.h"
#include "model/model.h"
#include "model/scene/traced_kernel_maker.h"

namespace tilestep::model {

/// The state behind the window. Commands change the choice or the position and return at once.
/// `poll` sends requests, receives replies, and publishes a new snapshot if anything has changed.
/// The last good results remain until better ones arrive. One thread only.
class Session {
 public:
  Session(SessionOptions options, Features features);
  ~Session();

  /// Requests wait until a client is connected.
  void connect(std::unique_ptr<worker::Client> client);
  /// Reports that there will be no client; the window continues without results.
  void connectFailed(const Error& error);

  /// `now` is a monotonic time in seconds. True if a new snapshot was published.
  bool poll(double now);
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return model_.shown; }
  /// The longest time in seconds until `poll` must be called again. If absent, `poll` need not be
  /// called before the next command.
  [[nodiscard]] std::optional<double> untilNext() const;

  /// Runs a command of a feature or of the model (model/shared_commands.h). False if it had no
  /// effect. Changes to the choice can be undone; changes of one field between two endGesture()
  /// calls count as one change.
  bool apply(const Command& command);
  void endGesture() { model_.endGesture(); }
  void undo();
  void redo();
  void setLooks(const AppearanceSet& looks);
  [[nodiscard]] const AppearanceSet& looks() const { return model_.choice.looks; }
  /// Incremented when a command, undo() or redo() changes the appearance settings, which the window
  /// must then adopt.
  [[nodiscard]] unsigned looksTakenBack() const { return model_.looksTakenBack; }
  /// Adopts the sizes and tunables of a recorded point.
  void goTo(const RecordedPlace& place);
  void say(Notice notice) { model_.say(std::move(notice)); }

  /// The user's position, to be restored by returnTo().
  [[nodiscard]] Bookmark bookmark() const { return model_.bookmark(); }
  void returnTo(const Bookmark& bookmark);

  /// The state from which the next run resumes, without the window's own part.
  [[nodiscard]] Saved saved() const;
  /// A new pointer after each change, which must be saved at once. Null if nothing was ever pinned.
  [[nodiscard]] const PinsPointer& pins() const { return model_.choice.pins; }

 private:
  bool carryOut(const Command& command);
  void settle();
  void goBackTo(std::optional<Choice> choice);
  void start(const SessionOptions& options);
  void restore(Saved saved, const std::string& device);
  void restoreLooks(const Saved& saved);
  void watchKernels();

  // From the choice to requests (session_requests.cpp).
  void refresh();
  void askFeatures();
  void sayAssumed(const compile::CatalogueEntry& entry);
  void refreshScene(const compile::CatalogueEntry& entry);
  void refreshCompanion(const compile::CatalogueEntry& entry);
  void wantScene(const Job& job, const std::string& key, const Request& request);
  void refreshFigures(const compile::CatalogueEntry& entry);
  /// `all` are the requests for measurements, the main kernel's first.
  void refreshHardware(const std::vector<Request>& all);
  /// The figures of the measurements, in the order of the requests; null if they have not arrived
  /// yet.
  [[nodiscard]] std::vector<std::shared_ptr<const lab::RunResult>*> measuredFigures();
  void refreshReference(const std::optional<Request>& reference);
  [[nodiscard]] bool hardwareReadable() const;
  void refreshCeilings();
  void illegal(const compile::CatalogueEntry& entry, const Error& error);
  void unusable(const compile::CatalogueEntry& entry);

  // The traced kernels (sides.cpp).
  /// Names both sides, so that they can be distinguished if they are the same kernel, and passes
  /// them to the stepper.
  void placeSides();
  [[nodiscard]] std::shared_ptr<const TracedKernel> named(
      const std::shared_ptr<const TracedKernel>& side, const std::string& key,
      const std::string& difference);
  [[nodiscard]] std::shared_ptr<const TracedKernel> cached(const std::string& key) const;
  void keep(const std::string& key, std::shared_ptr<const TracedKernel> side);

  // From replies to the state (session_results.cpp).
  void accept(const Arrival& arrival);
  void acceptAnswer(const Arrival& arrival);
  void acceptResult(const Arrival& arrival, const lab::ResultPointer& result);
  void acceptScene(const Job& job, const std::string& key, const lab::ResultPointer& result);
  bool openedRecording(const Arrival& arrival);
  void sayNearest(const lab::RunResult& result);
  void acceptSide(const Job& job, const std::string& key,
                  const std::shared_ptr<const TracedKernel>& side);
  void acceptFigures(const Arrival& arrival, lab::ResultPointer shared);
  void acceptCount(const std::string& key, const lab::ResultPointer& shared);
  void acceptHardware(const std::string& key, const lab::RunResult& result);
  void readRecordings();
  void acceptDevices(const worker::DevicesReply& reply);
  void acceptError(const Arrival& arrival, const Error& error);
  void reportProblems(const std::string& about, const lab::RunResult& result);
  void sayThatNoneFits(bool main, const std::string& key);
  void sayIfCut(const std::string& about, const TracedKernel& side);
  void appendHistory(const lab::RunResult& result);

  // From the state to a snapshot (session_publish.cpp).
  void publish();
  void publishViews(Snapshot& to);
  void publishChoice(Snapshot& to) const;
  void publishScene(Snapshot& to);
  void publishFigures(Snapshot& to);
  [[nodiscard]] Badge badge() const;

  struct CachedKernel {
    std::string key;
    std::shared_ptr<const TracedKernel> side;
  };

  Model model_;
  Features features_;
  std::vector<TableKind> tables_;  ///< The tables of all features.
  TracedKernelMaker maker_;
  std::vector<CachedKernel> cache_;  ///< Newest last.
  double nextWatch_ = 0;

  /// The path of a recording that is being opened, the last path that was tried, and why it failed.
  std::string opening_, opened_, openingFailed_;
  std::string assumedSaid_;  ///< The last notice about assumptions; it is not repeated after it was
                             ///< dismissed.

  std::string stage_;
  bool wasBusy_ = false;
  std::shared_ptr<const std::vector<TimelineEpoch>> timeline_;
  std::shared_ptr<const TracedKernel> timelineOf_;
  std::shared_ptr<const ThreadLines> mainLines_, companionLines_;
  std::string sentence_, together_;  ///< Texts about the steps of both kernels.
  bool comparable_ = false;          ///< Whether the counts of both steps can be compared.
};

}  // namespace tilestep::model
