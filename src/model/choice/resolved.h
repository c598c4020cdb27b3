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
#include "model/choice/barrier_calls.h"
#include "model/choice/choice.h"

namespace tilestep::model {

using Catalogue = std::vector<compile::CatalogueEntry>;
using CataloguePointer = std::shared_ptr<const Catalogue>;
using Devices = std::vector<device::DeviceInfo>;
using DevicesPointer = std::shared_ptr<const Devices>;
using KnownDevices = std::vector<lab::DeviceFile>;
using KnownDevicesPointer = std::shared_ptr<const KnownDevices>;

/// The entry of a kernel's name; null where there is none. A kernel given by its path wins over one
/// of the same name in the folder: it stands further back.
[[nodiscard]] const compile::CatalogueEntry* findEntry(const Catalogue& catalogue,
                                                       const std::string& name);

/// What stands beside the chosen kernel.
struct Companion {
  const compile::CatalogueEntry* entry = nullptr;
  /// In the scene; nothing where its tunables are not legal there.
  std::optional<compile::Plan> plan;
  std::string trouble;  ///< Why it is not legal; else empty.
  Dim3 block;           ///< The traced one.
};

/// What a choice means with the kernels and devices that are there: values filled in, launches
/// planned, devices found. It is worked out once after each change, and never changes.
///
/// The pointers lead into the catalogue and the lists of devices, which it keeps.
struct Resolved {
  Choice choice;
  CataloguePointer catalogue;
  DevicesPointer devices;
  KnownDevicesPointer knownDevices;

  const device::DeviceInfo* device = nullptr;  ///< The one in use; null until the worker answered.
  /// The known device whose roofs and limits are shown; null where they are those of `device`.
  const lab::DeviceFile* known = nullptr;
  Limits sceneLimits;  ///< Of what the scene runs on.

  const compile::CatalogueEntry* entry = nullptr;  ///< The chosen kernel; null: there is none such.
  // What follows is worked out where the kernel's front matter can be used.
  compile::Bindings tunables, sceneSizes, measureSizes;  ///< As wanted, every name filled in.
  std::optional<ChangedKernel> changed;      ///< What the scene runs instead, without a barrier.
  std::optional<compile::Plan> plan;         ///< Of the scene, where that is legal.
  std::optional<Error> illegal;              ///< Else: why it is not.
  Dim3 block;                                ///< The traced one, within the grid.
  std::optional<compile::Plan> measurePlan;  ///< At the measured sizes, on the device in use.
  std::optional<Error> illegalMeasured;      ///< Else: why it is not legal there.
  std::vector<std::string> besideNames;      ///< Kernels that could stand beside this one.
  std::optional<Companion> companion;        ///< Nothing where nothing stands beside it.
  int64_t phaseLength = 4;                   ///< k of one phase of the scene.

  /// The front matter of the chosen kernel can be used.
  [[nodiscard]] bool isUsable() const { return entry != nullptr && entry->spec.has_value(); }
  /// The device in use gives times, now or in a recording.
  [[nodiscard]] bool measures() const { return device != nullptr && device->measures; }
  /// The device in use is a GPU that answers now.
  [[nodiscard]] bool isLive() const { return measures() && device->recordedOn.empty(); }
  [[nodiscard]] const compile::CatalogueEntry* find(const std::string& name) const {
    return findEntry(*catalogue, name);
  }
  /// The kernel beside this one; null where none stands there.
  [[nodiscard]] const compile::CatalogueEntry* besideEntry() const {
    return companion ? companion->entry : nullptr;
  }
  /// The name of the device whose best tunables are meant.
  [[nodiscard]] std::string tuningDevice() const;
  /// What stands beside `main` where nothing else was chosen: the naive product beside another one.
  [[nodiscard]] const compile::CatalogueEntry* usualBeside(
      const compile::CatalogueEntry& main) const;
  /// The tunables of `beside` as chosen, the others following `main`. In a whole grid the naive
  /// product keeps its defaults.
  [[nodiscard]] compile::Bindings besideTunables(const compile::CatalogueEntry& beside,
                                                 const compile::Plan& main, bool wholeGrid) const;
  [[nodiscard]] lab::Experiment sceneExperiment(const compile::CatalogueEntry& of,
                                                compile::Bindings values,
                                                const Dim3& tracedBlock) const;
  [[nodiscard]] lab::Experiment measureExperiment(const compile::CatalogueEntry& of,
                                                  compile::Bindings values) const;
  /// What tiling is compared with: the naive product, where it does not stand beside the kernel as
  /// it is. `whole`: whole grids are compared. Nothing where nothing is compared.
  [[nodiscard]] std::optional<lab::Experiment> referenceExperiment(bool whole) const;
};
using ResolvedPointer = std::shared_ptr<const Resolved>;

/// The operands are never null.
[[nodiscard]] ResolvedPointer resolve(const Choice& choice, CataloguePointer catalogue,
                                      DevicesPointer devices, KnownDevicesPointer known);

}  // namespace tilestep::model
