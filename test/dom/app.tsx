/**
 * The page's own shell in a document without layout, with the files that the site serves and the made-up training worker: for what
 * a page says and does. Its looks, and what needs a browser, are tested in test/browser.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as React from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, vi } from "vitest";
import { App } from "../../src/app/App.tsx";
import { firstKeyOf } from "../../src/app/actions.ts";
import { shelf } from "../../src/app/book/openBook.ts";
import { ErrorBoundary } from "../../src/app/ErrorBoundary.tsx";
import { opened as experiments, runQueue } from "../../src/store/runQueue.ts";
import { runShelf } from "../../src/store/runs.ts";
import { ActionKeys } from "../../src/ui/actionKeys.ts";
import { type TrainingKind, workerInDom } from "./worker.ts";
import { DomPage } from "./page.ts";

const PUBLIC = join(import.meta.dirname, "..", "..", "public");
const RECORDING = "runs/nano/recording.json";
/** Of the shipped run only. */
const SEEDS = "runs/nano-seeds.json";

export interface OpenedInDom {
  page: DomPage;
  /** Errors that were reported or thrown so far. */
  errors: string[];
  close(): Promise<void>;
}

interface Options {
  /** Served as the recorded run; null for none; absent leaves what is shipped. */
  recording?: string | null;
  /** Whether the numbers of a run are made up, as without a word of it, or trained. */
  worker?: TrainingKind;
}

/** The files of `public`, but for the recorded run where another one is given. */
const serve = ({ recording }: Options) =>
  async function fetchFile(address: string | URL | Request): Promise<Response> {
    const path = new URL(address instanceof Request ? address.url : address).pathname.slice(1);
    if (path === RECORDING && recording !== undefined)
      return recording === null ? new Response("", { status: 404 }) : new Response(recording);
    if (path === SEEDS && recording !== undefined) return new Response("", { status: 404 });
    const bytes = await readFile(join(PUBLIC, decodeURIComponent(path))).catch(() => null);
    return bytes ? new Response(bytes) : new Response("", { status: 404 });
  };

/** Where React notes how many elements it has noted the stack of, for its warnings. */
const notes = (React as unknown as Record<string, object>)[
  "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE"
]!;
// Enough of them, always: a stack for each element is a third of the time that a page takes.
Object.defineProperty(notes, "recentlyCreatedOwnerStacks", { get: () => 1e6, set: () => {} });

let opened: Root | null = null;
let stops: (() => void)[] = [];

/** Sets up a file's tests: what a test leaves open is closed after it. */
export function usesApp(): void {
  beforeAll(forgetNotebooks);
  afterEach(closeApp);
}

/** Those of the file that ran before in the same worker, in its memory too. */
async function forgetNotebooks(): Promise<void> {
  for (const { id } of await shelf.list()) await shelf.drop(id);
}

async function closeApp(): Promise<void> {
  // As where a page is left: what it has not kept yet is kept now, not while the next page is open.
  window.dispatchEvent(new Event("pagehide"));
  opened?.unmount();
  opened = null;
  stops.forEach((stop) => stop());
  stops = [];
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  runShelf.setState({ runs: [] });
  // The next page waits for no run of this one.
  experiments.clear();
  runQueue.setState({ current: null, waiting: [], asks: null });
  vi.unstubAllGlobals();
}

/** A file that is saved would be gone to as a page here, where nothing saves it: for good, also for the tests that follow. */
function stayWhereFilesAreSaved(): () => void {
  const { click } = HTMLAnchorElement.prototype;
  const spy = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (!this.download) click.call(this);
  });
  return () => spy.mockRestore();
}

/** Opens the page at `#hash`. */
export async function openApp(hash: string, options: Options = {}): Promise<OpenedInDom> {
  await closeApp();
  // Nothing here waits for React: what it does is waited for, as in a browser.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  vi.stubGlobal("fetch", serve(options));
  vi.stubGlobal("Worker", workerInDom(options.worker ?? "fake"));
  // Nothing has a place here: all is drawn as if it were in view.
  vi.stubGlobal("IntersectionObserver", undefined);
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  const errors: string[] = [];
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...said) => void errors.push(said.join(" ")));
  stops.push(() => spy.mockRestore());
  stops.push(stayWhereFilesAreSaved());
  location.hash = hash;
  const root = document.createElement("div");
  document.body.append(root);
  opened = createRoot(root);
  opened.render(
    <ErrorBoundary>
      <ActionKeys value={firstKeyOf}>
        <App />
      </ActionKeys>
    </ErrorBoundary>,
  );
  return { page: new DomPage(), errors, close: closeApp };
}
