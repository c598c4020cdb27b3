// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/recording/recording.h"

/// A recording as a device: what was measured and counted comes from its file, steps, outputs and
/// checks from the interpreter, which runs the same kernel exactly; and each says which.
namespace tilestep::lab {

/// Says of itself what the recorded GPU said; runs jobs in the interpreter, without times.
class RecordedDevice : public device::Device {
 public:
  /// `id`: "recorded:NAME". `simt` outlives it.
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

/// The file of "recorded:NAME": assets/recordings/NAME.tsrec in `home`, or NAME where it is a path
/// or ends in .tsrec.
[[nodiscard]] std::string recordingFile(const std::string& home, const std::string& name);

/// What the recordings in `home` say of themselves, by name; unreadable ones are left out.
std::vector<device::DeviceInfo> recordedDevices(const std::string& home);

/// Static and dynamic, the most of any launch; only machine code could say more.
[[nodiscard]] uint32_t sharedBytesOf(const compile::Plan& plan, const ptx::Module& module);

/// What an experiment needs of the interpreter beside `found`: sets the job's wishes, and says
/// whether anything is left to run.
bool leaveToInterpreter(const Experiment& experiment, const Lookup& found, device::Job& job);

/// Puts what is recorded into a result that came without it, and what is nearest where there is no
/// measurement; `module` is the kernel's.
void addRecorded(const Experiment& experiment, const DeviceRecording& recording,
                 const Lookup& found, const ptx::Module& module, RunResult& result);

/// A timeline's epochs fall into phases as the front matter says, which a recording need not hold.
void namePhases(const compile::KernelSpec& spec, RunResult& result);

/// All that the recording holds of a kernel at sizes and tunables, with nothing run or compiled. An
/// Error where they are illegal, and where it has no such point: then it names the nearest.
[[nodiscard]] Result<RunResult> recordedResult(const DeviceRecording& recording,
                                               const compile::KernelSource& source,
                                               const compile::Bindings& sizes,
                                               const compile::Bindings& tunables);

}  // namespace tilestep::lab
