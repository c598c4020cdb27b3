// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/nvml.h"

#include <dlfcn.h>

namespace tilestep::cuda {
namespace {

using NvmlResult = int;
using NvmlDevice = struct NvmlDeviceTag*;

/// nvmlFieldValue_t of the NVML API reference.
struct FieldValue {
  unsigned fieldId = 0, scopeId = 0;
  long long timestamp = 0, latencyMicroseconds = 0;
  unsigned valueType = 0;
  NvmlResult result = 0;
  union {
    double asDouble;
    unsigned asUnsigned;
    unsigned long long asLong = 0;
  };
};
constexpr unsigned kPowerInstant = 186;  // NVML_FI_DEV_POWER_INSTANT, in milliwatts
constexpr unsigned kTypeUnsigned = 1;    // NVML_VALUE_TYPE_UNSIGNED_INT

class NvmlMeter : public PowerMeter {
 public:
  bool load(const std::string& pciBusId) {
    // Never closed: the library keeps its own state.
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    NvmlResult (*init)() = nullptr;
    NvmlResult (*find)(const char*, NvmlDevice*) = nullptr;
    load(library, init, "nvmlInit_v2");
    load(library, find, "nvmlDeviceGetHandleByPciBusId_v2");
    load(library, fields_, "nvmlDeviceGetFieldValues");
    load(library, usage_, "nvmlDeviceGetPowerUsage");
    return init != nullptr && find != nullptr && usage_ != nullptr && init() == 0 &&
           find(pciBusId.c_str(), &device_) == 0;
  }

  std::optional<double> watts() override {
    FieldValue field;
    field.fieldId = kPowerInstant;
    if (fields_ != nullptr && fields_(device_, 1, &field) == 0 && field.result == 0 &&
        field.valueType == kTypeUnsigned && field.asUnsigned > 0) {
      return field.asUnsigned * 1e-3;
    }
    unsigned milliwatts = 0;
    if (usage_(device_, &milliwatts) != 0) return std::nullopt;
    return milliwatts * 1e-3;
  }

 private:
  template <class F>
  static void load(void* library, F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library, name));
  }

  NvmlDevice device_ = nullptr;
  NvmlResult (*fields_)(NvmlDevice, int, FieldValue*) = nullptr;
  NvmlResult (*usage_)(NvmlDevice, unsigned*) = nullptr;
};

}  // namespace

std::unique_ptr<PowerMeter> PowerMeter::open(const std::string& pciBusId) {
  auto meter = std::make_unique<NvmlMeter>();
  if (!meter->load(pciBusId)) return nullptr;
  return meter;
}

}  // namespace tilestep::cuda
