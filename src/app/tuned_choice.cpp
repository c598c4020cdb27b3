// SPDX-License-Identifier: Apache-2.0
#include "app/tuned_choice.h"

#include "app/environment.h"
#include "base/files.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "lab/tune/tuned.h"

namespace tilestep::app {
namespace {

constexpr std::string_view kRecorded = "recorded:";

/// The name of the device that `wanted` refers to.
Result<std::string> deviceName(worker::Client& client, const std::string& wanted,
                               const std::string& home) {
  if (wanted.starts_with(kRecorded)) {
    const auto header =
        lab::readRecordingHeader(lab::recordingFile(home, wanted.substr(kRecorded.size())));
    return header ? Result<std::string>(header->device.name) : header.error();
  }
  const Result<worker::DevicesReply> reply =
      bodyOf<worker::DevicesReply>(await(client, client.devices()));
  if (!reply) return reply.error();
  for (const device::DeviceInfo& info : reply->devices) {
    const bool live = info.measures && info.recordedOn.empty();
    if (wanted == info.id || (wanted == "auto" && live)) return info.name;
  }
  return wanted == "auto" ? std::string("the SIMT interpreter") : wanted;
}

}  // namespace

Status takeTuned(worker::Client& client, lab::Experiment& experiment) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return home.error();
  const Result<compile::KernelSpec> spec = compile::parseKernel(experiment.source);
  if (!spec) return spec.error();
  const Result<std::string> device = deviceName(client, experiment.device, home->string());
  if (!device) return device.error();
  const lab::DeviceTuned known = lab::tunedHere(*home, *device);
  const auto best =
      lab::bestTuned(*spec, lab::programHashOf(experiment.source, *spec), experiment.sizes, known);
  if (!best) {
    return requestError((known.damage.empty() ? "" : known.damage + "; ") + "no best tunables of " +
                        spec->name + " are known for " + *device + "; tilestep sweep " +
                        spec->name + " --best finds them on a GPU");
  }
  if (!known.damage.empty()) say("tilestep: " + known.damage);
  const lab::Tuned& tuned = *best;
  experiment.tunables.insert(tuned.tunables.begin(), tuned.tunables.end());
  say("tilestep: " + lab::pointText({}, tuned.tunables) + ": the best of " +
      lab::searchedText(tuned) + " at " + lab::pointText(tuned.sizes, {}) + " on " + tuned.device +
      ", " + tuned.day);
  return {};
}

}  // namespace tilestep::app
