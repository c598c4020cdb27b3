// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/recording/recording.h"

/// A recording as a device. Measurements and counts come from its file. Steps, outputs and checks
/// come from the interpreter, which executes the same kernel exactly. Every value is labelled with
/// its source.
namespace tilestep::lab {

/// Reports the recorded GPU's description; runs jobs in the interpreter, without times.
class RecordedDevice : public device::Device {
 public:
  /// `id` is "recorded:NAME". `simt` must outlive this object.
  RecordedDevice(DeviceRecording recording, const std::string& id, device::Device& simt);

  [[nodiscard]] const device::DeviceInfo& info() const override { return recording_.device; }
  Result<device::Outcome> run(const device::Job& job, const device::Cancelled& cancelled) override;
  [[nodiscard]] device::HostMemory hostMemory(const device::Job& job) const override {
    return simt_.hostMemory(job);
  }
  [[nodiscard]] const DeviceRecording& recording() const { return recording_; }

 private:
  DeviceRecording recording_;
  device::Device& simt_;
};

/// The file of "recorded:NAME": assets/recordings/NAME.tsrec in `home`, or NAME itself if it is a
/// path or ends in .tsrec.
[[nodiscard]] std::string recordingFile(const std::string& home, const std::string& name);

/// The device descriptions of the recordings in `home`, by name. Unreadable recordings are omitted.
std::vector<device::DeviceInfo> recordedDevices(const std::string& home);

/// The most static plus dynamic shared memory of any launch. Machine code could need more.
[[nodiscard]] uint32_t sharedBytesOf(const compile::Plan& plan, const ptx::Module& module);

/// Reduces `job` to what the experiment needs and `found` does not hold. Returns whether the
/// interpreter has anything to run.
bool leaveToInterpreter(const Experiment& experiment, const Lookup& found, device::Job& job);

/// Adds the recorded data to a result that has none, and the nearest point if there is no
/// measurement. `module` is the kernel's PTX.
void addRecorded(const Experiment& experiment, const DeviceRecording& recording,
                 const Lookup& found, const ptx::Module& module, RunResult& result);

/// Assigns a timeline's epochs to phases by front matter, as recordings need not name phases.
void namePhases(const compile::KernelSpec& spec, RunResult& result);

/// All recorded data of a kernel at these sizes and tunables; nothing is run or compiled. Errors:
/// illegal sizes or tunables; no such point (the message names the nearest).
[[nodiscard]] Result<RunResult> recordedResult(const DeviceRecording& recording,
                                               const compile::KernelSource& source,
                                               const compile::Bindings& sizes,
                                               const compile::Bindings& tunables);

}  // namespace tilestep::lab
