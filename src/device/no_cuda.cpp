// SPDX-License-Identifier: Apache-2.0
#include "device/device.h"
#include "device/library.h"

namespace tilestep::device {
namespace {

Error noGpuSide() {
  return requestError(
      "This build has no GPU side; use --device simt, or build with "
      "TILESTEP_CUDA=ON.");
}

}  // namespace

Result<std::unique_ptr<Device>> openCuda(unsigned) {
  return noGpuSide();
}
unsigned cudaCount() {
  return 0;
}
std::vector<DeviceInfo> cudaDevices() {
  return {};
}
Result<std::string> cublasVersion() {
  return noGpuSide();
}
Result<Ceilings> cudaCeilings(unsigned, const std::string&, const std::string&) {
  return noGpuSide();
}

}  // namespace tilestep::device
