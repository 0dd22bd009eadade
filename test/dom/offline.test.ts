// @vitest-environment happy-dom
/** What the page does for readers without a network: new versions, files that are opened with it, and which files are kept. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keptFiles } from "../../src/app/build/offline.ts";
import { keepOffline, offerVersion, whenIdle } from "../../src/app/offline/keepOffline.ts";
import { followLaunches } from "../../src/app/offline/launches.ts";
import { NEW_VERSION } from "../../src/app/offline/newVersion.ts";
import { runQueue } from "../../src/store/runQueue.ts";
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import { toasts } from "../../src/ui/toasts.ts";

beforeEach(() => toasts.setState({ all: [] }));
afterEach(() => runQueue.setState({ current: null, waiting: [] }));

describe("a new version", () => {
  it("is not spoken of while something trains or waits to", async () => {
    const run = {} as ExperimentHandle;
    runQueue.setState({ current: run, waiting: [run] });
    let isIdle = false;
    void whenIdle().then(() => (isIdle = true));
    runQueue.setState({ current: null });
    await Promise.resolve();
    expect(isIdle).toBe(false);
    runQueue.setState({ waiting: [] });
    await Promise.resolve();
    expect(isIdle).toBe(true);
  });

  it("takes over where the reader says so, and the page is loaded again then", () => {
    const workers = new EventTarget();
    const waiting = { postMessage: vi.fn() };
    const reload = vi.fn();
    offerVersion(workers as ServiceWorkerContainer, waiting, reload);
    const [toast] = toasts.getState().all;
    expect(toast!.text).toContain("your next visit, or now");
    toast!.action!.run();
    expect(waiting.postMessage).toHaveBeenCalledExactlyOnceWith(NEW_VERSION);
    expect(reload).not.toHaveBeenCalled();
    workers.dispatchEvent(new Event("controllerchange"));
    expect(reload).toHaveBeenCalledOnce();
  });

  it("is offered when it has been installed, and the first one is not", async () => {
    const registration = Object.assign(new EventTarget(), {
      waiting: null as object | null,
      installing: null as EventTarget | null,
    });
    const workers = { register: async () => registration, controller: null as object | null };
    const container = workers as unknown as ServiceWorkerContainer;
    await keepOffline(container);
    const installed = Object.assign(new EventTarget(), { state: "installed" });
    registration.installing = installed;
    registration.dispatchEvent(new Event("updatefound"));
    registration.waiting = installed;
    installed.dispatchEvent(new Event("statechange"));
    await Promise.resolve();
    expect(toasts.getState().all).toEqual([]);
    workers.controller = {};
    installed.dispatchEvent(new Event("statechange"));
    await expect.poll(() => toasts.getState().all).toHaveLength(1);
  });

  it("is nothing where the browser allows no service worker", async () => {
    const register = () => Promise.reject(new Error("forbidden"));
    await keepOffline({ register } as unknown as ServiceWorkerContainer);
    // Playwright's answer where a test blocks them.
    await keepOffline({ register: async () => undefined } as unknown as ServiceWorkerContainer);
    expect(toasts.getState().all).toEqual([]);
  });
});

describe("a file that is opened with the installed page", () => {
  type Take = (launch: { files?: { getFile(): Promise<File> }[] }) => void;
  const launched = (file?: File) => {
    let take: Take = () => {};
    followLaunches({ setConsumer: (given) => void (take = given) });
    take(file ? { files: [{ getFile: async () => file }] } : {});
  };

  it("becomes a notebook of the reader's, from elsewhere", async () => {
    const before = location.hash;
    launched(new File(["# Sent\n"], "sent.turnbook.md"));
    await expect.poll(() => location.hash).toMatch(/^#book\/[a-z0-9]+/);
    location.hash = before;
  });

  it("is refused where it is too large, and nothing happens without one", async () => {
    const before = location.hash;
    launched();
    launched(new File([new Uint8Array(4_000_001)], "large.turnbook.md"));
    await expect
      .poll(() => toasts.getState().all.map(({ text }) => text))
      .toEqual(["large.turnbook.md is too large to be a notebook."]);
    expect(location.hash).toBe(before);
  });
});

describe("what a first visit keeps", () => {
  let folder: string;
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "turnbook-kept-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is the page with the models that lessons train; the rest is kept at its first use, by what is in it", () => {
    for (const path of ["index.html", "assets/start-Ci0XYONJ.js", "models/nano-sokoban/a.json"])
      write(path, path);
    write("models/talker-nano-sokoban/SHA256SUMS", "");
    for (const path of ["models/micro-sokoban/a.json", "runs/nano/weights-50.safetensors"])
      write(path, path);
    for (const path of ["test/stories/index.html", "assets/x-12345678.ttf", "sw.js"])
      write(path, path);
    const { precache, later } = keptFiles(folder);
    expect(precache.map(({ url }) => url)).toEqual([
      ...["assets/start-Ci0XYONJ.js", "index.html", "models/nano-sokoban/a.json"],
      "models/talker-nano-sokoban/SHA256SUMS",
    ]);
    expect(precache.map(({ revision }) => revision === null)).toEqual([true, false, false, false]);
    expect(Object.keys(later)).toEqual([
      ...["models/micro-sokoban/a.json", "runs/nano/weights-50.safetensors"],
    ]);
    write("index.html", "another");
    write("models/micro-sokoban/a.json", "another");
    const next = keptFiles(folder);
    expect(next.precache[1]!.revision).not.toBe(precache[1]!.revision);
    expect(next.later["models/micro-sokoban/a.json"]).not.toBe(
      later["models/micro-sokoban/a.json"],
    );
  });

  it("has a limit, by which a build fails", () => {
    write("large.js", new Uint8Array(14_000_001));
    expect(() => keptFiles(folder)).toThrow("would keep 14000001 bytes; it may keep 14000000");
  });

  it("can be installed: the manifest's files are there, and it opens notebooks", () => {
    const manifest = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8")) as {
      icons: { src: string; sizes: string }[];
      file_handlers: { accept: Record<string, string[]> }[];
    };
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(
      expect.arrayContaining(["192x192", "512x512"]),
    );
    for (const { src } of manifest.icons)
      expect(readFileSync(join("public", src)).length).toBeGreaterThan(100);
    expect(manifest.file_handlers[0]!.accept["text/markdown"]).toEqual([".turnbook.md"]);
    expect(readFileSync("index.html", "utf8")).toContain('rel="manifest"');
  });
});
