// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <future>
#include <map>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_samples.h"
#include "model/points.h"

namespace tilestep::features {

/// The common properties of the points of one kernel on one device.
struct SweepOwner {
  std::string kernel;  ///< KernelSpec::name
  uint64_t code = 0;
  std::string device;  ///< Its name.
  std::string compiler =
      {};                 ///< "nvrtc 13.0"; empty: unknown. Compilers access memory differently.
  std::string arch = {};  ///< KernelSpec::arch
  auto operator<=>(const SweepOwner&) const = default;
};
[[nodiscard]] SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series);

/// The samples of sweeps by owner and point, in memory and in the table "points" of the user's
/// points. An owner's points are read once. Several windows may add to the same table, and none
/// removes points except on request. For one thread.
class SweepStore {
 public:
  /// Null: nothing is kept on disk.
  explicit SweepStore(Points* points = nullptr) : points_(points) {}

  /// Whether the owner's points have been read; begins to read them otherwise.
  [[nodiscard]] bool isRead(const SweepOwner& owner) { return !bookOf(owner).coming.valid(); }
  /// Null if nothing is known about the point, or its owner is being read.
  [[nodiscard]] const SweepSample* find(const SweepOwner& owner, const std::string& key);
  /// Merges the sample into the known ones.
  void put(const SweepOwner& owner, const SweepPoint& point, const SweepSample& sample);
  /// Removes these points.
  void drop(const SweepOwner& owner, const std::vector<SweepPoint>& points);

  /// Grows when an owner's points have been read.
  [[nodiscard]] unsigned version() const { return version_; }
  /// The reason why points cannot be read, if there is a new one since the last call.
  [[nodiscard]] std::vector<Error> takeTrouble();

 private:
  struct Read {
    SweepSamples samples;
    std::vector<Error> trouble;
  };
  struct Book {
    SweepSamples samples;
    std::future<Read> coming;  ///< Valid: being read.
  };
  Book& bookOf(const SweepOwner& owner);
  static Read readFrom(const lab::Database* file, const SweepOwner& owner);

  Points* points_;
  std::map<SweepOwner, Book> books_;
  unsigned version_ = 0;
  std::vector<Error> trouble_;
};

}  // namespace tilestep::features
