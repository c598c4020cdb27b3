// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/hardware_job.h"

#include "device/cuda/measure/cold_caches.h"
#include "device/cuda/measure/hardware.h"

namespace tilestep::cuda {
namespace {

device::HardwareCounters refusedBecause(const Error& error) {
  device::HardwareCounters counters;
  counters.refused = error.message;
  return counters;
}

Result<cupti::Opened> openCupti(Context& context) {
  int version = 0;
  if (Status s = context.check(context.api().driverGetVersion(&version), "cuDriverGetVersion");
      !s) {
    return s.error();
  }
  const Result<std::vector<std::string>> paths = cupti::libraryPaths();
  if (!paths) return paths.error();
  return cupti::open(*paths, version);
}

/// Whether the job can continue after a failure of `execution`'s work.
bool survives(const Execution& execution) {
  return !execution.fault() && !execution.context()->abandoned() && execution.checkCancelled().ok();
}

}  // namespace

Result<device::HardwareCounters> profileJob(Execution& execution, const Program& program,
                                            Operands& operands, const device::DeviceInfo& info,
                                            unsigned ordinal) {
  const ContextPtr& context = execution.context();
  const Result<cupti::Opened> cupti = openCupti(*context);
  if (!cupti) return refusedBecause(cupti.error());
  Result<ColdCaches> caches = ColdCaches::make(context, info);
  if (!caches) return refusedBecause(caches.error());
  if (Status s = operands.bind(program.module()); !s) return s.error();
  std::vector<void*> parameters = operands.parameters();
  Replay replay;
  replay.prepare = [&]() -> Status {
    if (Status s = operands.prepare(execution.stream(), kFirstPoison); !s) return s;
    if (Status s = caches->flush(execution.stream()); !s) return s;
    return execution.finish();
  };
  replay.run = [&]() -> Status {
    if (Status s = program.launch(execution.stream(), parameters); !s) return s;
    return execution.finish();
  };
  const ProfiledDevice device{context->handle(), static_cast<DeviceOrdinal>(ordinal), info.name,
                              [&] { return context->abandoned(); }};
  Result<device::HardwareCounters> counters = readHardware(cupti->library, device, replay);
  if (!counters) {
    if (survives(execution)) return refusedBecause(counters.error());
    return counters;
  }
  counters->library = cupti->version;
  return counters;
}

}  // namespace tilestep::cuda
