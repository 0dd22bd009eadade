/** Node-only parts: finds tfjs's wasm binary and provides WebGPU. Never imported by browser code. */
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { InputError } from "../../numeric/inputError.ts";

/** Path of tfjs's wasm binary in node_modules. */
export function nodeWasmBinary(): string {
  const require = createRequire(import.meta.url);
  return require.resolve("@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm");
}

const DRIVER = "vk_swiftshader_icd.json";
const LOADER = "libvulkan.so.1";
/** glibc's RTLD_NODELETE: a library stays loaded although Node, finding no addon in it, closes it again. */
const NODELETE = 0x1000;

let provided: Promise<void> | null = null;

/**
 * Gives this process `navigator.gpu` through npm `webgpu` (Dawn). Without a hardware adapter it
 * uses the software driver next to CHROME_PATH or of the system's Chromium.
 * @throws InputError saying what is missing.
 */
export function provideWebGpu(): Promise<void> {
  provided ??= provide();
  provided.catch(() => (provided = null));
  return provided;
}

async function provide(): Promise<void> {
  const { create, globals } = await import("webgpu").catch(() => {
    throw new InputError(
      "backend webgpu in Node needs the npm package webgpu, which is not installed",
    );
  });
  paceEvents();
  const gpu = (await findHardware(create)) ?? (await findSoftware(create));
  Object.assign(globalThis, globals);
  if (!globalThis.navigator) {
    Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  }
  Object.defineProperty(globalThis.navigator, "gpu", { value: gpu, configurable: true });
}

type CreateGpu = (options: string[]) => GPU;

/** Dawn on the system's hardware; null without an adapter. */
async function findHardware(create: CreateGpu): Promise<GPU | null> {
  // Without any adapter, Dawn would complain on stderr.
  if (process.platform === "linux" && !(loadLibrary(LOADER) && childFindsAdapter())) return null;
  const gpu = create([]);
  return (await gpu.requestAdapter()) ? gpu : null;
}

/** Checks in a child process, whose stderr is discarded, whether Dawn finds an adapter here. */
function childFindsAdapter(): boolean {
  const module = pathToFileURL(createRequire(import.meta.url).resolve("webgpu")).href;
  const script = `
    import { writeSync } from "node:fs";
    import { create } from ${JSON.stringify(module)};
    writeSync(1, (await create([]).requestAdapter()) ? "found" : "none");
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 30_000,
    encoding: "utf8",
  });
  return stdout === "found";
}

async function findSoftware(create: CreateGpu): Promise<GPU> {
  const folder = driverFolder();
  if (!folder) {
    throw new InputError(
      `backend webgpu found no graphics adapter, and no software driver (${DRIVER}) beside CHROME_PATH or a Chromium on the PATH; install Chromium, set CHROME_PATH or use --backend wasm`,
    );
  }
  process.env["VK_ICD_FILENAMES"] ??= join(folder, DRIVER);
  // Mesa's device selection layer has nothing to select, and complains on stderr outside of a
  // desktop.
  process.env["NODEVICE_SELECT"] ??= "1";
  if (!loadLibrary(LOADER) && !loadLibrary(join(folder, LOADER))) {
    throw new InputError(
      `backend webgpu needs the Vulkan loader ${LOADER}, which is neither installed nor in ${folder}; use --backend wasm`,
    );
  }
  const gpu = create([]);
  if (await gpu.requestAdapter()) return gpu;
  throw new InputError(
    `backend webgpu: the software driver in ${folder} offers no adapter; use --backend wasm`,
  );
}

/** Loads a shared library permanently, so that Dawn finds it by name; false if there is none. */
function loadLibrary(name: string): boolean {
  try {
    process.dlopen({ exports: {} }, name, constants.dlopen.RTLD_NOW | NODELETE);
  } catch (error) {
    // It was found and loaded; the error that it is not a Node addon is expected.
    return error instanceof Error && error.message.includes("did not self-register");
  }
  return true;
}

/** The folder of a Chromium that ships the software driver. */
function driverFolder(): string | undefined {
  return chromiumFolders().find((folder) => existsSync(join(folder, DRIVER)));
}

function chromiumFolders(): string[] {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = path.flatMap((folder) => names.map((name) => join(folder, name)));
  const chrome = process.env["CHROME_PATH"];
  return [...(chrome ? [chrome] : []), ...onPath].filter((file) => existsSync(file)).flatMap(homes);
}

/** Possible locations of an executable's files: next to it, or in lib/NAME if it is a distribution's launch script. */
function homes(executable: string): string[] {
  const real = realpathSync(executable);
  const folder = dirname(real);
  return [folder, join(folder, "..", "lib", basename(real))];
}

// WebGPU in Node without a busy loop. While anything is pending, Dawn polls its events by
// `setImmediate` again and again, which keeps one core busy while another compiles a kernel: this
// polls once per millisecond after an initial period.

/** Initial period without waiting, in milliseconds. */
const EAGER = 3;

/** Recognises Dawn's callback: native code, and without a name. */
function isNative(callback: (...given: unknown[]) => void): boolean {
  return (
    callback.name === "" && Function.prototype.toString.call(callback).includes("[native code]")
  );
}

let isPaced = false;

/** Once per process; other callers of `setImmediate` are not affected. */
function paceEvents(): void {
  if (isPaced) return;
  isPaced = true;
  const plain = globalThis.setImmediate;
  const delayed = globalThis.setTimeout;
  let began = 0;
  let isAsking = false;
  /** Polls the events; a repeated request continues the wait. */
  const ask = (callback: () => void) => {
    isAsking = true;
    try {
      callback();
    } finally {
      isAsking = false;
    }
  };
  const paced = (callback: () => void, ...given: []) => {
    if (!isNative(callback)) return plain(callback, ...given);
    const now = performance.now();
    if (!isAsking) began = now;
    return now - began < EAGER ? plain(ask, callback) : delayed(ask, 1, callback);
  };
  globalThis.setImmediate = Object.assign(paced, plain) as typeof setImmediate;
}
