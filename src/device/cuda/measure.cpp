// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure.h"

#include <algorithm>
#include <cmath>

namespace tilestep::cuda {
namespace {

constexpr double kSampleMs = 1.0;
constexpr double kTotalMs = 30.0;
constexpr double kWarmUpMs = 3.0;
constexpr double kSlowRunMs = 200.0;
constexpr double kSlowTotalMs = 1000.0;
/// Cancelling is looked at between groups of samples of about this length.
constexpr double kGroupMs = 100.0;

uint32_t clampCount(double wanted, uint32_t least, uint32_t most) {
  return static_cast<uint32_t>(
      std::clamp(std::ceil(wanted), static_cast<double>(least), static_cast<double>(most)));
}

/// Two events and the runs between them.
struct Sample {
  Event start, stop;
};

Result<Sample> makeSample(const ContextPtr& context) {
  Result<Event> start = makeEvent(context);
  if (!start) return start.error();
  Result<Event> stop = makeEvent(context);
  if (!stop) return stop.error();
  return Sample{std::move(*start), std::move(*stop)};
}

Status enqueue(Execution& execution, const Program& program, Operands& operands,
               std::vector<void*>& parameters, const Sample& sample, uint32_t batch) {
  const Api& api = execution.context()->api();
  const StreamHandle stream = execution.stream();
  if (operands.hasInout()) {
    if (Status s = operands.restoreInout(stream); !s) return s;
  }
  if (Status s = execution.note(api.eventRecord(sample.start.get(), stream), "cuEventRecord"); !s) {
    return s;
  }
  for (uint32_t i = 0; i < batch; ++i) {
    if (Status s = program.launch(stream, parameters); !s) return s;
  }
  return execution.note(api.eventRecord(sample.stop.get(), stream), "cuEventRecord");
}

Result<double> elapsedMs(Execution& execution, const Sample& sample) {
  float ms = 0;
  const Api& api = execution.context()->api();
  if (Status s = execution.note(api.eventElapsedTime(&ms, sample.start.get(), sample.stop.get()),
                                "Reading the GPU's clock");
      !s) {
    return s.error();
  }
  return static_cast<double>(ms);
}

}  // namespace

MeasurePlan planMeasurement(double estimateMs, bool canBatch) {
  const double runMs = std::max(estimateMs, 1e-3);
  MeasurePlan plan;
  plan.batch = canBatch ? clampCount(kSampleMs / runMs, 1, 100) : 1;
  plan.repetitions = runMs < kSlowRunMs ? clampCount(kTotalMs / (runMs * plan.batch), 5, 200)
                                        : clampCount(kSlowTotalMs / runMs, 1, 5);
  plan.warmUp = runMs < kSlowRunMs ? clampCount(kWarmUpMs / runMs, 1, 200) : 0;
  return plan;
}

device::Measurement summarise(std::vector<double> samplesMs) {
  device::Measurement result;
  if (samplesMs.empty()) return result;
  std::sort(samplesMs.begin(), samplesMs.end());
  const auto quantile = [&](double share) {
    const double at = share * static_cast<double>(samplesMs.size() - 1);
    const auto low = static_cast<size_t>(at);
    const size_t high = std::min(low + 1, samplesMs.size() - 1);
    return samplesMs[low] + (at - static_cast<double>(low)) * (samplesMs[high] - samplesMs[low]);
  };
  result.minMs = samplesMs.front();
  result.medianMs = quantile(0.5);
  result.p10Ms = quantile(0.1);
  result.p90Ms = quantile(0.9);
  result.repetitions = static_cast<uint32_t>(samplesMs.size());
  return result;
}

Result<device::Measurement> measure(Execution& execution, const Program& program,
                                    Operands& operands) {
  std::vector<void*> parameters = operands.parameters();
  Result<Sample> first = makeSample(execution.context());
  if (!first) return first.error();
  if (Status s = enqueue(execution, program, operands, parameters, *first, 1); !s) {
    return s.error();
  }
  if (Status s = execution.finish(); !s) return s.error();
  const Result<double> estimate = elapsedMs(execution, *first);
  if (!estimate) return estimate.error();

  const MeasurePlan plan = planMeasurement(*estimate, !operands.hasInout());
  for (uint32_t i = 0; i < plan.warmUp; ++i) {
    if (Status s = enqueue(execution, program, operands, parameters, *first, 1); !s) {
      return s.error();
    }
  }
  const uint32_t group = clampCount(kGroupMs / std::max(*estimate * plan.batch, 1e-3), 1, 200);
  std::vector<double> samplesMs;
  while (samplesMs.size() < plan.repetitions) {
    std::vector<Sample> samples;
    for (uint32_t i = 0; i < group && samplesMs.size() + i < plan.repetitions; ++i) {
      Result<Sample> sample = makeSample(execution.context());
      if (!sample) return sample.error();
      samples.push_back(std::move(*sample));
      if (Status s = enqueue(execution, program, operands, parameters, samples.back(), plan.batch);
          !s) {
        return s.error();
      }
    }
    if (Status s = execution.finish(); !s) return s.error();
    if (Status s = execution.checkCancelled(); !s) return s.error();
    for (const Sample& sample : samples) {
      const Result<double> ms = elapsedMs(execution, sample);
      if (!ms) return ms.error();
      samplesMs.push_back(*ms / plan.batch);
    }
  }
  return summarise(std::move(samplesMs));
}

}  // namespace tilestep::cuda
