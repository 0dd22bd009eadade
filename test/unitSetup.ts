/**
 * Set-up of the unit tests, so that a file's page disturbs no other file. A worker goes through several files:
 * - what a chart has put off to a timer of 0 is done after each test. Where the next file puts its own clock in place, such
 *   a timer would never come, and the page's one queue of redraws would wait for it for ever;
 * - parts that a page has asked for have come when its file ends: a module that is torn off is missing for the next file too;
 * - a server or a worker that a closed page asks is not there;
 * - `hashchange` comes when browsers report it;
 * - what is waited for has the tests' time, not a library's second;
 * - a shadow root has no focus where the focus was in what is gone: happy-dom throws, in a timer of an editor.
 */
import { afterAll, afterEach, vi } from "vitest";
import { TIME_LIMIT } from "./timeLimit.ts";

/** A redraw may ask for one more. */
const ROUNDS = 3;

const hasPage = typeof document !== "undefined";

const { waitFor } = vi;
vi.waitFor = (check, options = {}) =>
  waitFor(check, typeof options === "number" ? options : { timeout: TIME_LIMIT, ...options });
if (hasPage) {
  const { configure } = await import("@testing-library/dom");
  configure({ asyncUtilTimeout: TIME_LIMIT });
}

// In place of happy-dom's, which connects to port 3000 of this machine: a page that is closed has its test's files no more.
if (hasPage) globalThis.fetch = () => Promise.resolve(new Response("", { status: 404 }));

/** Of a page that is closed: it answers nothing. A code cell may ask for one a moment later. */
class NoWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}
if (hasPage) Object.assign(globalThis, { Worker: NoWorker });

/** Browsers report no `hashchange` where a page replaces its address by itself; happy-dom does, a task later, when the page may have gone on. */
function replaceQuietly(): void {
  const replaced = new Set<string>();
  const replace = history.replaceState.bind(history);
  history.replaceState = (...given) => {
    const { hash } = location;
    replace(...given);
    if (location.hash !== hash) replaced.add(location.href);
  };
  window.addEventListener("hashchange", (event) => {
    if (replaced.delete(event.newURL)) event.stopImmediatePropagation();
  });
}
if (hasPage) replaceQuietly();

function withoutLostFocus(): void {
  const { get, ...rest } = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, "activeElement")!;
  const activeElement = (root: ShadowRoot): unknown => {
    try {
      return get!.call(root);
    } catch {
      return null;
    }
  };
  Object.defineProperty(ShadowRoot.prototype, "activeElement", {
    ...rest,
    configurable: true,
    get(this: ShadowRoot) {
      return activeElement(this);
    },
  });
}
if (hasPage) withoutLostFocus();

// oxlint-disable-next-line turnbook/shared-hooks -- Vitest loads a set-up file again for every test file
afterEach(async () => {
  if (!hasPage || vi.isFakeTimers()) return;
  for (let i = 0; i < ROUNDS; i++) await new Promise((resolve) => setTimeout(resolve, 0));
});

// oxlint-disable-next-line turnbook/shared-hooks -- as above
afterAll(async () => {
  if (hasPage) await vi.dynamicImportSettled();
});
