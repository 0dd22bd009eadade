/**
 * A page whose training worker can be ended from outside, in any browser: the built page with a few lines added to its
 * worker, and a word to it through the page.
 */
import { servePage, type ServedPage } from "../browser/support.ts";

/** How a worker can end, or stop being of use. */
export type Blow = "close" | "throw" | "reject" | "hang" | "terminate" | "destroy";

/** Added to the worker's source. `destroy` takes its graphics device away, as a driver does that is reset. */
const HOOK = `
const devices: GPUDevice[] = [];
const request = self.GPUAdapter?.prototype.requestDevice;
if (request)
  GPUAdapter.prototype.requestDevice = async function (...args) {
    const device = await request.apply(this, args);
    devices.push(device);
    return device;
  };
self.addEventListener("message", (event: MessageEvent) => {
  const blow = (event.data as { blow?: string }).blow;
  if (blow === undefined) return;
  event.stopImmediatePropagation();
  if (blow === "close") self.close();
  else if (blow === "throw") setTimeout(() => { throw new Error("a hostile error"); });
  else if (blow === "reject") void Promise.reject(new Error("a hostile rejection"));
  else if (blow === "destroy") devices.forEach((device) => device.destroy());
  else for (;;);
});
`;

const LINE = "const channel = new MessageChannel();";

/** Runs in the page before anything else: keeps hold of its workers. */
export const KEEP_WORKERS = `
  const Own = self.Worker;
  self.hostileWorkers = [];
  self.Worker = class extends Own {
    constructor(url, options) {
      super(url, options);
      if (/\\/worker-/.test(String(url))) self.hostileWorkers.push(this);
    }
  };
`;

/** An expression for the page: strikes its newest training worker; false where there is none. */
export function strike(blow: Blow): string {
  const act =
    blow === "terminate" ? "worker.terminate()" : `worker.postMessage({ blow: "${blow}" })`;
  return `(() => { const worker = hostileWorkers.at(-1); if (worker) ${act}; return !!worker; })()`;
}

/** What can be seen of a run, as an expression for the page. */
export const LOOK = `(() => {
  const by = (id) => document.querySelector('[data-testid=' + id + ']');
  return {
    state: by("status")?.dataset.state ?? "",
    done: Number(by("progress")?.textContent.split(" ")[0] ?? 0),
    fingerprint: by("fingerprint")?.querySelector("code")?.textContent ?? null,
    recovered: by("recovered")?.textContent ?? null,
    silent: by("silent") !== null,
    problem: by("problem")?.textContent ?? null,
    engine: by("engine")?.textContent ?? "",
    moved: by("moved") !== null,
    savable: by("save-run")?.matches(":not(:disabled, [aria-disabled=true])") ?? false,
    continuable: by("continue-run") !== null,
  };
})()`;

export interface Look {
  state: string;
  done: number;
  fingerprint: string | null;
  recovered: string | null;
  silent: boolean;
  problem: string | null;
  engine: string;
  moved: boolean;
  savable: boolean;
  continuable: boolean;
}

export function clickOn(id: string): string {
  return `document.querySelector("[data-testid=${id}]").click()`;
}

export function serveHostile(): Promise<ServedPage> {
  const change = { file: "src/runtime/worker.ts", from: LINE, to: `${HOOK}\n${LINE}` };
  return servePage({ worker: "real", change });
}
