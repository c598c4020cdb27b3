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
  /// "nvrtc 13.0"; empty if unknown. Code of different compilers accesses memory differently.
  std::string compiler = {};
  std::string arch = {};  ///< KernelSpec::arch
  auto operator<=>(const SweepOwner&) const = default;
};
[[nodiscard]] SweepOwner ownerOf(const SweepPlan& plan, const SweepSeries& series);

/// The samples of sweeps by owner and point, in memory and in the table "points" of the user's
/// file. An owner's points are read once. Several windows may add to the table; points are removed
/// only on request. For one thread.
class SweepStore {
 public:
  /// With null, nothing is kept on disk.
  explicit SweepStore(Points* points = nullptr) : points_(points) {}

  /// Whether the owner's points have been read. If not, reading begins.
  [[nodiscard]] bool isRead(const SweepOwner& owner) { return !bookOf(owner).coming.valid(); }
  /// Null if nothing is known about the point, or its owner is being read.
  [[nodiscard]] const SweepSample* find(const SweepOwner& owner, const std::string& key);
  /// Merges the sample into the known ones.
  void put(const SweepOwner& owner, const SweepPoint& point, const SweepSample& sample);
  /// Removes these points.
  void drop(const SweepOwner& owner, const std::vector<SweepPoint>& points);

  /// Increases whenever an owner's points have been read.
  [[nodiscard]] unsigned version() const { return version_; }
  /// The reasons, since the last call, why points cannot be read.
  [[nodiscard]] std::vector<Error> takeTrouble();

 private:
  struct Read {
    SweepSamples samples;
    std::vector<Error> trouble;
  };
  struct Book {
    SweepSamples samples;
    std::future<Read> coming;  ///< Valid while the points are being read.
  };
  Book& bookOf(const SweepOwner& owner);
  static Read readFrom(const lab::Database* file, const SweepOwner& owner);

  Points* points_;
  std::map<SweepOwner, Book> books_;
  unsigned version_ = 0;
  std::vector<Error> trouble_;
};

}  // namespace tilestep::features
