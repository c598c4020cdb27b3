// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "compile/kernel.h"
#include "device/device.h"
#include "lab/devices/device_file.h"
#include "lab/experiment.h"
#include "model/best_known.h"
#include "model/choice/barrier_calls.h"
#include "model/choice/choice.h"

namespace tilestep::model {

inline constexpr uint64_t kSeed = 1;  ///< The seed of all inputs in the window.

using Catalogue = std::vector<compile::CatalogueEntry>;
using CataloguePointer = std::shared_ptr<const Catalogue>;
using Devices = std::vector<device::DeviceInfo>;
using DevicesPointer = std::shared_ptr<const Devices>;
using KnownDevices = std::vector<lab::DeviceFile>;
using KnownDevicesPointer = std::shared_ptr<const KnownDevices>;

/// The catalogue entry with this name; null if there is none. A kernel given by path comes later in
/// the catalogue, so it takes precedence over a kernel of the same name in the folder.
[[nodiscard]] const compile::CatalogueEntry* findEntry(const Catalogue& catalogue,
                                                       const std::string& name);

struct Companion {
  const compile::CatalogueEntry* entry = nullptr;
  /// The launch in the scene; absent if its tunables are not legal there.
  std::optional<compile::Plan> plan;
  std::string trouble;  ///< The reason why the tunables are not legal; empty if they are.
  Dim3 block;           ///< The traced block.
};

/// A choice resolved against the available kernels and devices: values filled in, launches planned,
/// devices found. It is computed once after each change and is immutable.
///
/// The pointers refer to the catalogue and the device lists, which this object keeps alive.
struct Resolved {
  Choice choice;
  CataloguePointer catalogue;
  DevicesPointer devices;
  KnownDevicesPointer knownDevices;

  /// The device in use; null until the worker has answered.
  const device::DeviceInfo* device = nullptr;
  /// The known device whose roofs and limits are shown; null if `device` provides them.
  const lab::DeviceFile* known = nullptr;
  Limits sceneLimits;  ///< The limits of the device that runs the scene.

  /// The chosen kernel; null if there is no such kernel.
  const compile::CatalogueEntry* entry = nullptr;
  // The following are set only if the kernel's front matter can be used.
  /// As requested, with a value for every name.
  compile::Bindings tunables, sceneSizes, measureSizes;
  /// The kernel with a barrier removed, which the scene runs instead.
  std::optional<ChangedKernel> changed;
  std::optional<compile::Plan> plan;  ///< The scene's launch, if it is legal.
  std::optional<Error> illegal;       ///< The reason why that launch is not legal.
  Dim3 block;                         ///< The traced block, within the grid.
  /// The launch at the measured sizes, on the device in use.
  std::optional<compile::Plan> measurePlan;
  std::optional<Error> illegalMeasured;      ///< The reason why that launch is not legal.
  std::vector<std::string> comparisonNames;  ///< Kernels that can be the companion.
  std::optional<Companion> companion;        ///< Absent if there is no companion.
  /// In whole grids, the user chose the shape of the companion's blocks, so it may differ from the
  /// main kernel's.
  bool blocksAreChosen = false;
  int64_t phaseLength = 4;  ///< The length along k of one phase of the scene.

  /// Whether the front matter of the chosen kernel can be used.
  [[nodiscard]] bool isUsable() const { return entry != nullptr && entry->spec.has_value(); }
  /// Whether the device in use provides times, measured now or recorded.
  [[nodiscard]] bool measures() const { return device != nullptr && device->measures; }
  /// Whether the device in use is a GPU that is present.
  [[nodiscard]] bool isLive() const { return measures() && device->recordedOn.empty(); }
  [[nodiscard]] const compile::CatalogueEntry* find(const std::string& name) const {
    return findEntry(*catalogue, name);
  }
  /// The companion's entry; null if there is no companion.
  [[nodiscard]] const compile::CatalogueEntry* comparisonEntry() const {
    return companion ? companion->entry : nullptr;
  }
  /// The name of the device whose best tunables are used.
  [[nodiscard]] std::string tuningDevice() const;
  /// The default companion of `main`: the naive product, if `main` is another matrix product.
  [[nodiscard]] const compile::CatalogueEntry* usualComparison(
      const compile::CatalogueEntry& main) const;
  /// The tunables chosen for `comparison`. The other tunables follow `main`: in the scene, so that
  /// blocks compute the same elements; in a whole grid, so that blocks have the same shape.
  [[nodiscard]] compile::Bindings comparisonTunables(const compile::CatalogueEntry& comparison,
                                                     const compile::Plan& main,
                                                     bool wholeGrid) const;
  /// The launch of a program whose data `of` uses because the two are compared; otherwise absent.
  [[nodiscard]] std::optional<compile::KernelSource> dataFor(
      const compile::CatalogueEntry& of) const;
  [[nodiscard]] lab::Experiment sceneExperiment(const compile::CatalogueEntry& of,
                                                compile::Bindings values,
                                                const Dim3& tracedBlock) const;
  [[nodiscard]] lab::Experiment measureExperiment(const compile::CatalogueEntry& of,
                                                  compile::Bindings values) const;
  /// The experiment that tiling is compared with: the naive product in blocks of the main kernel's
  /// shape, unless the companion already is that launch. With `whole`, whole grids at the measured
  /// sizes are compared. Absent if there is no comparison.
  [[nodiscard]] std::optional<lab::Experiment> referenceExperiment(bool whole) const;
};
using ResolvedPointer = std::shared_ptr<const Resolved>;

/// The pointers must not be null. With `recorded`, a recording with times of the kernel is used if
/// no GPU is present and the choice names none.
[[nodiscard]] ResolvedPointer resolve(const Choice& choice, CataloguePointer catalogue,
                                      DevicesPointer devices, KnownDevicesPointer known,
                                      const RecordedKernels& recorded);

}  // namespace tilestep::model
