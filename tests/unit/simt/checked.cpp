// SPDX-License-Identifier: Apache-2.0
#include "checked.h"

#include <gtest/gtest.h>

#include <cstring>

#include "simt/engines.h"

namespace tilestep::simt {
Machine checked(const std::string& body, uint32_t threads, const std::string& before) {
  Machine machine = Machine::ofText(
      ".file 1 \"k.cu\"\n" + before +
          ".visible .entry test(.param .u64 p) {\n.reg .b32 %r<40>; .reg .b64 %rd<40>;\n"
          ".reg .pred %p<8>; .reg .f32 %f<8>; .reg .b16 %h<8>;\n"
          ".shared .align 16 .b8 tile[256]; .shared .align 16 .b8 other[256];\n"
          "ld.param.u64 %rd30, [p]; mov.u32 %r31, %tid.x; mov.u32 %r30, %ctaid.x;\n"
          "mul.lo.u32 %r29, %r31, 4; mov.u32 %r28, tile; add.u32 %r1, %r28, %r29;\n"
          "mul.wide.u32 %rd29, %r31, 4; add.s64 %rd1, %rd30, %rd29;\n" +
          body + "\nret; }",
      "test");
  machine.buffer("P", Words(1024));
  machine.request.buffers[0].elementBytes = 4;
  machine.block(threads);
  machine.request.check = true;
  return machine;
}

std::string line(int number) {
  return "\n.loc 1 " + std::to_string(number) + " 1\n";
}

Found findings(Machine machine) {
  Found found;
  const Words fresh = machine.values<uint32_t>(0);
  for (const Engine* engine : engines()) {
    machine.engine(engine);
    std::memcpy(machine.request.buffers[0].host, fresh.data(), 4 * fresh.size());
    const GridResult result = machine.run();
    Found here;
    const auto add = [&](const std::string& what) { here += (here.empty() ? "" : ", ") + what; };
    for (const Hazard& h : result.hazards) {
      add(h.kind + " " + h.space + " " + std::to_string(h.first.line) + "-" +
          std::to_string(h.second.line));
    }
    for (const Fault& f : result.faults) add(f.kind + " " + std::to_string(f.line));
    if (engine == engines().front()) found = here;
    EXPECT_EQ(found, here) << engine->name;
  }
  return found;
}

}  // namespace tilestep::simt
