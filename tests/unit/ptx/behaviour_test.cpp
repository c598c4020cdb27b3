// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/behaviour.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "support/source_root.h"
#include "ptx/text/printer.h"
#include "ptx/rewrite/instrument_copies.h"
#include "ptx/rewrite/own_returns.h"
#include "ptx/rewrite/instrument_signature.h"
#include "ptx/rewrite/instrument_exemplars.h"
#include <chrono>
#include <fstream>

namespace tilestep::ptx {
namespace behaviour_test {

TEST(BehaviourStats, Print) {
  compile::CompileService::Options options;
  options.home = support::sourceRoot();
  compile::CompileService service(options);
  for (const std::string folder : {"kernels", "kernels/ladder", "tests/corpus"})
    for (const auto& file : std::filesystem::directory_iterator(support::sourceRoot() + "/" + folder)) {
      if (file.path().extension() != ".cu") continue;
      compile::KernelSource source;
      source.path = folder + "/" + file.path().filename().string();
      source.text = readTextFile(file.path().string()).value();
      compile::CompileRequest request;
      request.source = source;
      const auto spec = compile::parseKernel(source);
      if (spec) for (const auto& t : spec->tunables) request.tunables[t.name] = t.defaultValue;
      auto made = service.compile(request);
      if (!made.ok()) { printf("%s: %s\n", source.path.c_str(), toString(made.error()).substr(0, 100).c_str()); continue; }
      const Module m = withCopiesAsAccesses(withOwnReturns(*(*made)->module));
      for (const Function& f : m.functions) {
        if (!f.isEntry) continue;
        const auto begun = std::chrono::steady_clock::now();
        const Behaviour b = behaviourOf(f);
        const double ms0 = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
        const std::vector<Launch> ls{{f.name, {1, 1, 1}, {256, 1, 1}}};
        compile::CompileRequest preq;
        preq.source.path = "kernels/probes/count.cu"; preq.source.text = readTextFile(support::sourceRoot() + "/kernels/probes/count.cu").value(); preq.relocatable = true;
        auto probes = service.compile(preq);
        const auto b1 = std::chrono::steady_clock::now();
        auto sig = instrumentSignature(*(*made)->module, *(*probes)->module, ls, 0);
        const double ms1 = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - b1).count();
        const auto b2 = std::chrono::steady_clock::now();
        auto ex = instrumentExemplars(*(*made)->module, ls, 0);
        const double ms2 = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - b2).count();
        if (sig) std::ofstream("/tmp/ptx/" + f.name + ".sig.ptx") << sig->ptx;
        if (ex) std::ofstream("/tmp/ptx/" + f.name + ".log.ptx") << ex->ptx;
        std::ofstream("/tmp/ptx/" + f.name + ".ptx") << (*made)->ptx;
        printf("behaviour %.1f ms, signature %.1f ms, exemplars %.1f ms\n", ms0, ms1, ms2);
        size_t fixed = 0, moving = 0, open = 0;
        for (auto& r : b.roots) (r.repeats ? moving : fixed)++;
        for (bool o : b.open) open += o;
        printf("%-40s %-20s body %5zu fixed %3zu moving %3zu open %3zu%s\n", source.path.c_str(), f.name.substr(0, 20).c_str(), f.body.size(), fixed, moving, open, b.ofOnePlace ? " one place" : "");
        for (auto& r : b.roots) if (r.repeats) printf("      %s\n", print(f.body[r.instruction], f).c_str());
      }
    }
}

}  // namespace behaviour_test
}  // namespace tilestep::ptx
