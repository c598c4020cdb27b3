// SPDX-License-Identifier: Apache-2.0
#include "unit/ptx/support.h"

#include <gtest/gtest.h>

#include "ptx/text/parser.h"

namespace tilestep::ptx {
namespace {

const std::string kHead = ".version 7.5\n.target sm_80\n.address_size 64\n";

}  // namespace

std::string kernelText(std::string_view body) {
  return ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
         ".reg .pred %p<16>;\n.reg .b32 %r<100>;\n.reg .f32 %f<100>;\n.reg .f64 %fd<100>;\n"
         ".reg .b64 %rd<100>;\n" +
         std::string(body) + "\n}\n";
}

Module parsed(std::string_view text) {
  const bool isWhole = text.find(".version") != std::string_view::npos;
  Result<Module> module = parse(isWhole ? std::string(text) : kHead + std::string(text));
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : toString(module.error()));
  return module.ok() ? std::move(module).value() : Module{};
}

Function kernel(std::string_view body) {
  const Module module = parsed(kernelText(body));
  return module.functions.empty() ? Function{} : module.functions.front();
}

Instruction instruction(std::string_view statement) {
  const Function function = kernel(statement);
  EXPECT_FALSE(function.body.empty());
  return function.body.empty() ? Instruction{} : function.body.front();
}

Module withoutPtxLines(Module module) {
  for (Function& function : module.functions) {
    for (Instruction& each : function.body) each.ptxLine = 0;
  }
  return module;
}

}  // namespace tilestep::ptx
