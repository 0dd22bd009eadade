/** Starts a contender in this process, WebGPU through Dawn. Each is loaded on its own, so that no other library runs before its turn. */
import { createWasmEngine } from "../../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels, nodeSpawn } from "../../../src/engine/wasm/node.ts";
import type { Contender, ContenderName } from "../contender.ts";
import { engineContender } from "./engines.ts";
import { openWebGpu } from "./webgpu.ts";

const openWasm = async (workers: number): Promise<Contender> =>
  engineContender(await createWasmEngine(nodeKernels(), { workers, spawn: nodeSpawn }));

const helpers = {
  *map<T, R>(this: Iterable<T>, f: (x: T) => R) {
    for (const x of this) yield f(x);
  },
  *filter<T>(this: Iterable<T>, f: (x: T) => boolean) {
    for (const x of this) if (f(x)) yield x;
  },
  toArray<T>(this: Iterable<T>): T[] {
    return [...this];
  },
};

/** What Node 20 lacks, and jax-js takes for granted: the name of its host, and iterators that map and filter. */
async function openJax(): Promise<Contender> {
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
  if (!("map" in iterator)) Object.assign(iterator, helpers);
  const { navigator } = globalThis;
  if (navigator.userAgent === undefined)
    Object.defineProperty(navigator, "userAgent", { value: `Node.js/${process.versions.node}` });
  return (await import("./jax.ts")).openJax("webgpu");
}

/** The peers' wasm wants a page. */
export const IN_NODE: Partial<Record<ContenderName, () => Promise<Contender>>> = {
  "turnbook-webgpu": openWebGpu,
  "jax-webgpu": openJax,
  "tfjs-webgpu": async () => (await import("./tfjs.ts")).openTfjs("webgpu"),
  "referee-webgpu": async () => (await import("./referee.ts")).openReferee("webgpu"),
  "turnbook-wasm": () => openWasm(1),
  "turnbook-wasm-2": () => openWasm(2),
};
