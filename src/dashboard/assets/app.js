// Everything here is an extra: every page works without it. Whatever comes from outside is set as text, never as markup.
"use strict";

const $ = (id) => document.getElementById(id);
// Characters of a file that are shown; Copy and Download have all of it.
const SHOWN = 100000;

// Copy: hidden until there is a script to do it.

async function copy(button, text, source) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Press Ctrl+C";
    getSelection().selectAllChildren(source);
  }
  setTimeout(() => (button.textContent = label), 2000);
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  const source = $(button.dataset.copy);
  button.addEventListener("click", () => copy(button, source.textContent, source));
}

// Forms: who sends one twice by impatience would pay twice.

for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    if (event.defaultPrevented) return;
    form.dataset.sent = "yes";
    const button = form.querySelector("button:not([type=button])");
    button.setAttribute("aria-disabled", "true");
    form.dataset.label = button.textContent;
    if (form.dataset.busy) button.textContent = form.dataset.busy;
  });
}

function mayBeSentAgain() {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    const button = form.querySelector("[aria-disabled]");
    delete form.dataset.sent;
    button.removeAttribute("aria-disabled");
    button.textContent = form.dataset.label;
  }
}
// Back to a page that the browser has kept, or its loading was stopped.
addEventListener("pageshow", mayBeSentAgain);
addEventListener("keydown", (event) => {
  if (event.key === "Escape") mayBeSentAgain();
});

// Times: written in UTC, told in the reader's own time; what was written stays as their title.

const own = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent;
  time.textContent = own.format(new Date(time.dateTime));
}

// What needs attention, or was asked for, is where the reader is.

const first = document.querySelector(".notice[role=alert]") || $("verdict");
if (first) first.focus();

// The playground's run, as it goes.

const form = document.querySelector("form#generate");
if (form && window.ReadableStream) {
  let running = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!running) run();
  }, true);
  $("stop").addEventListener("click", () => running && running.abort());

  async function run() {
    running = new AbortController();
    const button = form.querySelector("button:not([type=button])");
    button.setAttribute("aria-disabled", "true");
    $("problems").replaceChildren();
    $("outcome").hidden = true;
    progress({ fetched: 0, discovered: 0, failed: 0 }, "Waiting for the site…");
    $("bar").removeAttribute("value");
    $("asked").open = false;
    $("asked").querySelector("summary").textContent = "Another site";
    $("live").hidden = false;
    $("live").scrollIntoView({ block: "nearest" });
    $("said").textContent = "The site is being read.";
    try {
      await listen(await ask());
    } catch (error) {
      $("asked").open = true;
      if (error.name === "AbortError") $("said").textContent = "Stopped.";
      else complain(error.told || "The connection broke off. Try again.", error.param);
    } finally {
      running = null;
      button.removeAttribute("aria-disabled");
      $("live").hidden = true;
    }
  }

  async function ask() {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { accept: "text/event-stream" },
      body: new URLSearchParams(new FormData(form)),
      signal: running.signal,
    });
    const kind = answer.headers.get("content-type") || "";
    if (kind.startsWith("text/event-stream")) return answer;
    // The session is over.
    if (answer.redirected) location.assign(answer.url);
    throw refusal(kind.startsWith("application/json") ? await answer.json() : {});
  }

  async function listen(answer) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    // A file comes in many pieces: they are put together once, when its end is there.
    let pieces = [""];
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw refusal({});
      const ends = (pieces.at(-1).slice(-1) + value).includes("\n\n");
      pieces.push(value);
      if (!ends) continue;
      const blocks = pieces.join("").split("\n\n");
      pieces = [blocks.pop()];
      for (const block of blocks) if (hear(block)) return;
    }
  }

  // One event; true: it was the last.
  function hear(block) {
    const fields = new Map(block.split("\n").map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 2)]));
    const data = fields.has("data") ? JSON.parse(fields.get("data")) : null;
    switch (fields.get("event")) {
      case "discovered":
      case "described":
        progress(data);
        return false;
      case "page":
        progress(data, data.url);
        return false;
      case "done":
        show(data);
        return true;
      case "error":
        throw refusal(data);
      default:
        return false;
    }
  }

  function progress(counts, current) {
    for (const name of ["fetched", "discovered", "failed"]) $(name).textContent = counts[name];
    if (counts.expected) {
      $("bar").max = counts.expected;
      $("bar").value = counts.fetched + counts.failed;
    }
    if (current) $("current").textContent = current;
  }

  function show(made) {
    $("site").textContent = made.url;
    $("note").hidden = !made.note;
    $("note").firstElementChild.textContent = made.note || "";
    const files = [["llms.txt", made.llmsTxt], ["llms-full.txt", made.llmsFullTxt]].filter(([, text]) => text !== null);
    $("files").replaceChildren(...files.map(([name, text]) => file(name, text)));
    $("outcome").hidden = false;
    $("outcome").focus();
    $("said").textContent = "The files are ready.";
  }

  function file(name, text) {
    const part = $("file").content.cloneNode(true).firstElementChild;
    const [copier, download, shown] = ["button", "a", "pre"].map((tag) => part.querySelector(tag));
    const blob = new Blob([text], { type: "text/plain;charset=utf-8" });
    part.querySelector("h3").textContent = name;
    shown.textContent = text.slice(0, SHOWN);
    shown.setAttribute("aria-label", name);
    copier.addEventListener("click", () => copy(copier, text, shown));
    download.download = name;
    download.href = URL.createObjectURL(blob);
    const cut = text.length > SHOWN ? "; the beginning is shown, Copy and Download have all of it" : "";
    part.querySelector("footer").textContent = `${blob.size.toLocaleString("en")} bytes${cut}`;
    return part;
  }

  function refusal(told) {
    return Object.assign(new Error(), { told: told.message, param: told.param });
  }

  function complain(message, param) {
    const box = $("problem").content.cloneNode(true).firstElementChild;
    const link = box.querySelector("a");
    if (param && $(param)) link.href = `#${param}`;
    else link.removeAttribute("href");
    link.textContent = message;
    $("problems").replaceChildren(box);
    box.focus();
  }
}
