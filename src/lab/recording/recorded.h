// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/recording/recording.h"

/// A recording as a device: measurements and counts come from its file; steps, outputs and checks
/// come from the interpreter, which executes the same kernel exactly. Each is labelled with its
/// source.
namespace tilestep::lab {

/// Reports the recorded GPU's description; runs jobs in the interpreter, without times.
class RecordedDevice : public device::Device {
 public:
  /// `id`: "recorded:NAME". `simt` must outlive it.
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

/// The device descriptions of the recordings in `home`, by name; unreadable ones are omitted.
std::vector<device::DeviceInfo> recordedDevices(const std::string& home);

/// Static plus dynamic shared memory, the maximum over the launches; machine code could need more.
[[nodiscard]] uint32_t sharedBytesOf(const compile::Plan& plan, const ptx::Module& module);

/// Requests from the interpreter, in `job`, what the experiment needs beyond `found`. Returns
/// whether there is anything to run.
bool leaveToInterpreter(const Experiment& experiment, const Lookup& found, device::Job& job);

/// Adds the recorded data to a result that has none, and the nearest point if there is no
/// measurement. `module` is the kernel's.
void addRecorded(const Experiment& experiment, const DeviceRecording& recording,
                 const Lookup& found, const ptx::Module& module, RunResult& result);

/// Assigns a timeline's epochs to phases according to front matter, because a recording need not
/// hold them.
void namePhases(const compile::KernelSpec& spec, RunResult& result);

/// All recorded data of a kernel at these sizes and tunables; nothing is run or compiled. Error:
/// they are illegal, or there is no such point (then it names the nearest).
[[nodiscard]] Result<RunResult> recordedResult(const DeviceRecording& recording,
                                               const compile::KernelSource& source,
                                               const compile::Bindings& sizes,
                                               const compile::Bindings& tunables);

}  // namespace tilestep::lab
