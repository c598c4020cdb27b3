// SPDX-License-Identifier: Apache-2.0
// The GPU of libcuda.cpp: the interpreter, for one program. It serves the socket whose number is
// the first argument.
#include <cstdlib>

#include "program/service.h"

int main(int count, char** arguments) {
  using namespace tilestep;
  if (count < 2) return 2;
  program::ServiceRules rules;
  std::strcpy(rules.device.name, "Pretended GPU");
  rules.device.major = 9;
  rules.device.multiprocessors = 4;
  rules.device.threadsPerBlock = 1024;
  rules.device.sharedPerBlock = 49152;
  rules.device.sharedPerBlockOptin = 232448;
  rules.device.sharedPerMultiprocessor = 233472;
  rules.device.threadsPerMultiprocessor = 2048;
  rules.device.registersPerBlock = rules.device.registersPerMultiprocessor = 65536;
  rules.device.blocksPerMultiprocessor = 32;
  rules.device.globalBytes = rules.memoryBytes = uint64_t{1} << 30;
  program::Service service(Descriptor(std::atoi(arguments[1])), rules, "/nowhere", {});
  service.serve();
  return 0;
}
