/**
 * One piece of user code in its own interpreter: QuickJS, compiled to WebAssembly, without page,
 * network, storage or clock. Every call starts from the memory as it was after the code was read,
 * so that a result depends only on the arguments and not on earlier calls: a run that is resumed,
 * forked or replayed gets the same numbers. Its mathematics is compiled in, so that results are the
 * same on every machine.
 */
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import release from "@jitl/quickjs-wasmfile-release-sync";
import { CodeError, codeErrorOf, type ConsoleLine } from "./codeError.ts";
import { DEFINITION_LIMITS, DEPTH, type SandboxLimits } from "./limits.ts";
import { PRELUDE } from "./prelude.ts";
import { stripTypes } from "./strip.ts";
import { packValues, unpackValues } from "./values.ts";

interface Called {
  value: unknown;
  lines: ConsoleLine[];
}

const STEPS_FOR_ERRORS = 20;

interface SandboxOptions {
  limits?: SandboxLimits;
  /** One of our own scripts, evaluated first. */
  setup?: string | null;
  /** Whether the source is JavaScript already. */
  stripped?: boolean;
}

const INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
  BigInt: true,
  // No clock.
  Date: false,
} as const;

export class Sandbox {
  readonly name: string;
  #limits: SandboxLimits;
  #context: QuickJSContext;
  #call: QuickJSHandle;
  #lines: QuickJSHandle;
  #exports: QuickJSHandle;
  #memory: MemoryState;
  #steps = 0;
  #deadline = Infinity;

  private constructor(
    binary: WebAssembly.Module,
    module: QuickJSWASMModule,
    name: string,
    limits: SandboxLimits,
  ) {
    this.name = name;
    this.#limits = limits;
    const runtime = module.newRuntime();
    runtime.setMemoryLimit(limits.memory);
    runtime.setMaxStackSize(limits.stack);
    runtime.setInterruptHandler(() => ++this.#steps > limits.steps || Date.now() > this.#deadline);
    this.#context = runtime.newContext({ intrinsics: INTRINSICS });
    const prelude = this.#context.unwrapResult(this.#context.evalCode(PRELUDE, "prelude"));
    this.#call = this.#context.getProp(prelude, "call");
    this.#lines = this.#context.getProp(prelude, "lines");
    prelude.dispose();
    this.#exports = this.#context.undefined;
    this.#memory = new MemoryState(binary, module.getWasmMemory());
  }

  /**
   * Reads the code, a module of JavaScript or TypeScript, and runs its top level once. quickjs: the
   * interpreter's compiled binary. @throws CodeError with name and line.
   */
  static async open(
    quickjs: WebAssembly.Module,
    name: string,
    source: string,
    { limits = DEFINITION_LIMITS, setup = null, stripped = false }: SandboxOptions = {},
  ): Promise<Sandbox> {
    const script = stripped ? source : await stripTypes(source, name);
    const variant = newVariant(release, { wasmModule: quickjs, wasmMemory: memoryFor(limits) });
    const module = await newQuickJSWASMModuleFromVariant(variant);
    const sandbox = new Sandbox(quickjs, module, name, limits);
    if (setup !== null) sandbox.#setUp(setup);
    sandbox.#read(script);
    return sandbox;
  }

  /** Evaluates our own setup code. */
  #setUp(code: string): void {
    this.#start();
    this.#context.unwrapResult(this.#context.evalCode(code, "setup")).dispose();
  }

  #read(script: string): void {
    this.#start();
    // Always a module, so that it defines no globals.
    const result = this.#context.evalCode(`${script}\nexport {};`, this.name, { type: "module" });
    if (result.error) throw this.#refuse(result.error);
    this.#exports = result.value;
    this.#memory.keep();
  }

  /** Whether the code exports this name. */
  has(name: string): boolean {
    return this.#typeOf(name) === "function";
  }

  #typeOf(name: string): string {
    const handle = this.#context.getProp(this.#exports, name);
    const type = this.#context.typeof(handle);
    handle.dispose();
    return type;
  }

  /**
   * Calls an exported function, or reads an exported constant. The result is data: numbers,
   * strings, lists (Float64Array if all are numbers) and objects without a prototype. @throws
   * CodeError.
   */
  call(name: string, ...args: readonly unknown[]): Called {
    if (this.#typeOf(name) === "undefined")
      throw new CodeError(this.name, null, `the code has no "export function ${name}"`);
    try {
      return this.#tryCall(name, args);
    } finally {
      this.#memory.restore();
    }
  }

  #tryCall(name: string, args: readonly unknown[]): Called {
    const context = this.#context;
    const { text, numbers } = packValues(args);
    const { numbers: most, characters } = this.#limits;
    const limits = JSON.stringify({ numbers: most, characters, depth: DEPTH });
    const handles = [
      context.getProp(this.#exports, name),
      context.newString(`the result of ${name}`),
      context.newString(text),
      context.newArrayBuffer(numbers.buffer as ArrayBuffer),
      context.newString(limits),
    ];
    this.#start();
    const result = context.callFunction(this.#call, context.undefined, ...handles);
    try {
      if (result.error) throw this.#refuse(result.error);
      return this.#received(result.value);
    } finally {
      for (const handle of handles) handle.dispose();
      result.dispose();
    }
  }

  #received(handle: QuickJSHandle): Called {
    const context = this.#context;
    const [text, list] = [context.getProp(handle, 0), context.getProp(handle, 1)];
    try {
      const bytes = context.getArrayBuffer(list);
      const numbers = new Float64Array(bytes.value.slice().buffer);
      bytes.dispose();
      const { value, lines } = JSON.parse(context.getString(text)) as Called;
      return { value: unpackValues(value, numbers), lines };
    } finally {
      text.dispose();
      list.dispose();
    }
  }

  /** Reading an error may run its getters: a few steps are reserved for that, however the call ended. */
  #dumped(error: QuickJSHandle): unknown {
    this.#steps = this.#limits.steps - STEPS_FOR_ERRORS;
    this.#deadline = Infinity;
    try {
      return this.#context.dump(error) as unknown;
    } catch {
      return "an error that cannot be shown";
    }
  }

  /** Console output before an error. */
  #said(): ConsoleLine[] {
    const result = this.#context.callFunction(this.#lines, this.#context.undefined);
    const text = result.error ? "[]" : this.#context.getString(result.value);
    result.dispose();
    return JSON.parse(text) as ConsoleLine[];
  }

  #start(): void {
    this.#steps = 0;
    this.#deadline = Date.now() + this.#limits.milliseconds;
  }

  #refuse(error: QuickJSHandle): CodeError {
    const refusal = codeErrorOf(this.name, this.#dumped(error));
    return refusal.with(this.#said());
  }
}

const WASM_PAGE = 65536;
/** Bytes that the binary asks for at first: its stack and constants. */
const FIRST_BYTES = 256 * WASM_PAGE;

/**
 * The interpreter counts what its objects take, but not the bytes of buffers: the memory itself ends where the heap is full and three
 * lists of numbers are: a call's, its result, and the copy that comes out.
 */
function memoryFor({ memory, numbers }: SandboxLimits): WebAssembly.Memory {
  const bytes = FIRST_BYTES + memory + 3 * numbers * Float64Array.BYTES_PER_ELEMENT;
  return new WebAssembly.Memory({
    initial: FIRST_BYTES / WASM_PAGE,
    maximum: Math.ceil(bytes / WASM_PAGE),
  });
}

/** First and last byte of the stack of each binary: our own code is read alike by all its interpreters, and looking takes milliseconds. */
const stacks = new WeakMap<WebAssembly.Module, readonly [number, number]>();

/**
 * A snapshot of an interpreter's memory, restored after each call. The stack is left out: between
 * two calls nothing on it matters, and it is most of the bytes.
 */
class MemoryState {
  #memory: WebAssembly.Memory;
  /** The longest run of zeros before any user code has been read. */
  #stack: readonly [number, number];
  #parts: { at: number; bytes: Uint8Array }[] = [];

  /** memory: of an interpreter that has read only our own code. */
  constructor(binary: WebAssembly.Module, memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#stack = stacks.get(binary) ?? longestZeros(new Uint8Array(memory.buffer));
    stacks.set(binary, this.#stack);
  }

  keep(): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    const [from, to] = this.#stack;
    const parts = [
      { at: 0, bytes: bytes.slice(0, from) },
      { at: to, bytes: bytes.slice(to, usedBytes(bytes)) },
    ];
    this.#parts = parts;
  }

  restore(): void {
    const now = new Uint8Array(this.#memory.buffer);
    for (const { at, bytes } of this.#parts) now.set(bytes, at);
  }
}

const PAGE = 1024;

/** Length up to the last nonzero word. Comparing whole words takes a fifteenth of the time of numbers, which have a -0. */
function usedBytes(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer);
  let last = words.length;
  while (last > 0 && words[last - 1] === 0) last -= 1;
  return last * 4;
}

/** The longest run of pages of zeros below the last used byte. [from, to) */
function longestZeros(bytes: Uint8Array): readonly [number, number] {
  const words = new Int32Array(bytes.buffer);
  const end = usedBytes(bytes) / 4;
  const page = PAGE / 4;
  let [best, length, from] = [0, 0, 0];
  // Two nested loops without a call: a page opens many interpreters, each of millions of words.
  for (let next = page; next <= end; next += page) {
    let at = next - page;
    while (at < next && words[at] === 0) at += 1;
    if (at < next) from = next;
    else if (next - from > length) [best, length] = [from, next - from];
  }
  return [4 * best, 4 * (best + length)];
}
