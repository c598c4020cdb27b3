// SPDX-License-Identifier: Apache-2.0
#include "web/engine/direct_client.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tilestep::web {
namespace {

template <class Body, class T>
Body bodyOf(Result<T> result) {
  if (!result) return std::move(result).error();
  return std::move(result).value();
}

}  // namespace

uint64_t DirectClient::add(std::function<Body()> work) {
  requests_.push_back({++last_, std::move(work)});
  return last_;
}

uint64_t DirectClient::run(const lab::Experiment& experiment) {
  return add([this, experiment]() -> Body {
    Result<lab::RunResult> result = lab_.run(experiment, {}, [](const lab::Stage&) {});
    if (!result) return std::move(result).error();
    return std::make_shared<const lab::RunResult>(std::move(result).value());
  });
}

uint64_t DirectClient::devices() {
  return add([this]() -> Body {
    const Result<std::string> compiler = lab_.compiler();
    return worker::DevicesReply{lab_.devices(), compiler ? *compiler : compiler.error().message};
  });
}

uint64_t DirectClient::ceilings(const std::string& device) {
  return add([this, device] { return bodyOf<Body>(lab_.ceilings(device)); });
}

uint64_t DirectClient::ptx(const lab::Experiment& experiment, bool instrumented) {
  return add([this, experiment, instrumented] {
    return bodyOf<Body>(lab_.ptx(experiment, instrumented));
  });
}

uint64_t DirectClient::live(const lab::Experiment& /*experiment*/) {
  return add([]() -> Body { return requestError("The interpreter has no live times."); });
}

void DirectClient::cancel(uint64_t id) {
  const auto request = std::ranges::find(requests_, id, &Request::id);
  if (request != requests_.end()) request->isCancelled = true;
}

worker::Reply DirectClient::answerNext() {
  const Request request = std::move(requests_.front());
  requests_.pop_front();
  return {request.id, request.isCancelled ? Body(workError("Cancelled.")) : request.work()};
}

std::optional<worker::Reply> DirectClient::poll() {
  if (answered_.empty() && requests_.empty()) return std::nullopt;
  if (answered_.empty()) return answerNext();
  worker::Reply reply = std::move(answered_.front());
  answered_.pop_front();
  return reply;
}

worker::Reply DirectClient::wait(uint64_t id) {
  const auto earlier = std::ranges::find(answered_, id, &worker::Reply::id);
  if (earlier != answered_.end()) {
    worker::Reply reply = std::move(*earlier);
    answered_.erase(earlier);
    return reply;
  }
  while (!requests_.empty()) {
    worker::Reply reply = answerNext();
    if (reply.id == id) return reply;
    answered_.push_back(std::move(reply));
  }
  return {id, workError("There is no such request.")};
}

}  // namespace tilestep::web
