// SPDX-License-Identifier: Apache-2.0
#include "support/gpu_there.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace tilestep::support {
namespace {

constexpr int kNoDevice = 100, kUnknown = 999;  // CUresult

/// Opening a GPU that has fallen off its bus fails with EIO; a GPU that this user may not use, with
/// EPERM.
bool isOpenableGpu(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (opened < 0) return errno == EIO;
  ::close(opened);
  return true;
}

bool hasDeviceFile() {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", ignored)) {
    const std::string name = entry.path().filename().string();
    const bool ofGpu = name.starts_with("nvidia") && name.size() > 6 &&
                       name.find_first_not_of("0123456789", 6) == std::string::npos;
    if (ofGpu && isOpenableGpu(entry.path())) return true;
  }
  return false;
}

template <class Function>
int call(void* library, const char* name, auto... arguments) {
  const auto function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr ? function(arguments...) : kUnknown;
}

}  // namespace

GpuFacts gpuFacts() {
  GpuFacts facts;
  facts.deviceFile = hasDeviceFile();
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  facts.hidden = visible != nullptr;
  // Never closed, because the driver keeps its own threads.
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string why = ::dlerror();
    facts.driver = why.find("libcuda.so.1: cannot open shared object file") == std::string::npos;
    facts.started = kUnknown;
    return facts;
  }
  facts.driver = true;
  facts.started = call<int (*)(unsigned)>(library, "cuInit", 0U);
  if (facts.started != 0) return facts;
  facts.started = call<int (*)(int*)>(library, "cuDeviceGetCount", &facts.devices);
  return facts;
}

std::optional<std::string> whyNoGpu(const GpuFacts& facts) {
  if (!facts.driver) return "there is no NVIDIA driver: libcuda.so.1 was not found";
  if (facts.started == 0 && facts.devices > 0) return std::nullopt;
  const bool none = facts.started == 0 || facts.started == kNoDevice;
  if (none && facts.hidden) return "CUDA_VISIBLE_DEVICES hides every GPU";
  if (!facts.deviceFile) return "there is a driver and no GPU: /dev has none that may be opened";
  return std::nullopt;
}

std::optional<std::string> whyNoGpu() {
  return whyNoGpu(gpuFacts());
}

}  // namespace tilestep::support
