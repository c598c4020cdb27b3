// Steps through a page (src/model/export/page.h): by keys, buttons, swipes and the address.
"use strict";
(() => {
  const root = document.documentElement;
  const steps = [...document.querySelectorAll(".step")];
  const nav = document.querySelector("nav");
  const said = document.querySelector("[data-said]");
  const kTries = 3;
  let at = 0;

  const decoded = (text) =>
    new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));

  // --- One step at a time -----------------------------------------------------------------------

  function show(index, moved) {
    at = Math.min(Math.max(index, 0), steps.length - 1);
    steps.forEach((step, i) => step.classList.toggle("current", i === at));
    const place = `Step ${at + 1} of ${steps.length}`;
    nav.querySelector(".now").textContent = place;
    nav.querySelector("progress").value = (at + 1) / steps.length;
    const [back, next] = nav.querySelectorAll("button");
    back.disabled = at === 0;
    next.disabled = at === steps.length - 1;
    if (!moved) return;
    // What had the keyboard may be hidden now, and a disabled button loses it.
    if (!nav.contains(document.activeElement) || document.activeElement.disabled)
      steps[at].querySelector("h2").focus({ preventScroll: true });
    scrollTo(0, 0);
    say(place);
    // A page within another page may have no address of its own.
    try {
      history.replaceState(null, "", `#${at + 1}`);
    } catch (refused) {
      // Stepping works all the same.
    }
  }

  function say(place) {
    const sentence = steps[at].querySelector(".sentence");
    const title = steps[at].querySelector("h2").lastChild.textContent.trim();
    said.textContent = `${place}: ${title}. ${sentence ? sentence.textContent : ""}`;
  }

  const go = (index) => {
    if (index !== at && index >= 0 && index < steps.length) show(index, true);
  };

  const fromAddress = () => (parseInt(location.hash.slice(1), 10) || 1) - 1;

  // --- Keys and swipes --------------------------------------------------------------------------

  const scrolls = (element) =>
    Boolean(element && element.closest) &&
    [...document.querySelectorAll(".wide")].some(
      (wide) => wide.contains(element) && wide.scrollWidth > wide.clientWidth + 1);

  function targetOf(event) {
    switch (event.key) {
      case "ArrowLeft":
        return scrolls(event.target) ? null : at - 1;
      case "ArrowRight":
        return scrolls(event.target) ? null : at + 1;
      case " ":
        return event.target.closest("button, summary") ? null : at + (event.shiftKey ? -1 : 1);
      case "PageUp":
        return at - 1;
      case "PageDown":
        return at + 1;
      case "Home":
        return 0;
      case "End":
        return steps.length - 1;
      default:
        return null;
    }
  }

  // A presenter's clicker goes through the page by two keys, so one of them shows answers as well.
  function showAnswer() {
    const show = steps[at].querySelector(".answering:not([hidden]) [data-show]");
    if (show) show.click();
    return Boolean(show);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "PageDown" && showAnswer()) return event.preventDefault();
    if (event.target.closest("input")) return;
    const target = targetOf(event);
    if (target === null) return;
    event.preventDefault();
    go(target);
  });

  let touch = null;
  document.addEventListener("touchstart", (event) => {
    const one = event.touches.length === 1 && !scrolls(event.target);
    // A page that is enlarged is moved by swipes, not turned.
    const enlarged = window.visualViewport && window.visualViewport.scale > 1.05;
    touch = one && !enlarged ? event.touches[0] : null;
  }, { passive: true });
  document.addEventListener("touchend", (event) => {
    if (!touch) return;
    const end = event.changedTouches[0];
    const x = end.clientX - touch.clientX;
    const y = end.clientY - touch.clientY;
    touch = null;
    if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) go(at + (x < 0 ? 1 : -1));
  }, { passive: true });

  nav.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) go(at + Number(button.dataset.go));
  });
  addEventListener("hashchange", () => go(fromAddress()));

  // --- Questions: as in the window, the third wrong answer shows the right one --------------------

  function numberOf(text) {
    const plain = text.trim().replace(/\s/g, "");
    const grouped = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain);
    return plain === "" ? NaN : Number(grouped ? plain.replace(/,/g, "") : plain.replace(",", "."));
  }

  function takeQuestion(question) {
    const step = question.closest(".step");
    const answering = question.querySelector(".answering");
    const verdict = question.querySelector(".verdict");
    const input = question.querySelector("input");
    const [right, rightText, hint, ...known] = decoded(question.dataset.key).split("\n");
    const kHintAfter = 2;
    let wrong = 0;
    answering.hidden = false;

    function tell(text, isRight) {
      verdict.textContent = text;
      verdict.classList.toggle("right", isRight);
      verdict.classList.toggle("wrong", !isRight);
    }
    const is = (value, number) => Math.abs(value - number) <= 1e-6 * Math.abs(number);
    // The page's writer has escaped every text in it.
    function diagnose(value) {
      const line = known.find((one) => is(value, Number(one.split("\t")[0])));
      const side = value > Number(right) ? "large" : "small";
      const unforeseen = input ? `${value} is too ${side}.` : "Try again.";
      const because = line ? line.split("\t")[1] : unforeseen;
      const hinted = wrong >= kHintAfter && hint !== "" ? `<br><b>Hint:</b> ${hint}` : "";
      verdict.innerHTML = `Not quite. ${because}${hinted}`;
    }
    function reveal() {
      answering.hidden = true;
      for (const part of step.querySelectorAll("[data-veiled]")) {
        // The page's writer has escaped every text in it.
        part.innerHTML = decoded(part.dataset.veiled);
        part.removeAttribute("data-veiled");
      }
      verdict.focus({ preventScroll: true });
    }
    function answer(value) {
      if (Number.isNaN(value)) return tell("Type a number.", false);
      const wanted = Number(right);
      const isRight = right !== "" && is(value, wanted);
      if (!isRight && right !== "" && ++wrong < kTries) {
        tell("", false);
        return diagnose(value);
      }
      tell(isRight ? "Right." : rightText, isRight);
      reveal();
    }

    answering.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.choice) answer(Number(button.dataset.choice));
      if ("entered" in button.dataset) answer(numberOf(input.value));
      if ("show" in button.dataset) {
        tell(rightText, false);
        reveal();
      }
    });
    if (input)
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") answer(numberOf(input.value));
      });
  }

  document.querySelectorAll(".question").forEach(takeQuestion);
  root.classList.add("stepping");
  nav.hidden = false;
  show(fromAddress(), false);
  addEventListener("load", () => scrollTo(0, 0));
})();
