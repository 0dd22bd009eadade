/**
 * Python's pickles as plain data, without running anything: a pickle is a program that names
 * functions to call, so only those in `ALLOWED` are known here, each rebuilt as data, and any other
 * name ends the reading. Protocols 0 to 5 (Python, `Lib/pickle.py`, `Lib/pickletools.py`).
 */
import { show } from "../../numeric/inputError.ts";
import { RefusedError } from "../import/refused.ts";
import { rebuild, type Spend, type Storage } from "./tensors.ts";

/** An object of a known class: its state, once it has been set. */
interface Rebuilt {
  state: unknown;
}

type Rebuild = (args: readonly unknown[], spend: Spend) => unknown;

const opaque: Rebuild = () => ({ state: null }) satisfies Rebuilt;

/** Every global that a pickle may name: what the listed writers need (`torch.save`, NumPy, DataProto, SkyRL). */
const ALLOWED: Readonly<Record<string, Rebuild>> = {
  "collections.OrderedDict": () => new Map(),
  "torch._utils._rebuild_tensor_v2": (args, spend) => rebuild.tensor(args, spend),
  "numpy.core.multiarray._reconstruct": () => rebuild.emptyArray(),
  "numpy._core.multiarray._reconstruct": () => rebuild.emptyArray(),
  "numpy.core.multiarray.scalar": (args) => rebuild.scalar(args),
  "numpy._core.multiarray.scalar": (args) => rebuild.scalar(args),
  "numpy.ndarray": opaque,
  "numpy.dtype": ([name]) => ({ dtype: String(name) }),
  "_codecs.encode": ([text], spend) => {
    spend(String(text).length);
    return latinBytes(String(text));
  },
  "verl.protocol.DataProto": opaque,
  "tensordict._td.TensorDict": opaque,
  "skyrl.backends.skyrl_train.training_batch._rebuild_tensor_batch": ([, state]) => state,
  "skyrl.backends.skyrl_train.training_batch.TrainingInputBatch": opaque,
};

/** Torch's storage classes are names of number types. */
const STORAGE = /^torch\.(Float|Double|Half|BFloat16|Long|Int|Short|Char|Byte|Bool)Storage$/;

/** A name that a pickle gives. */
class Global {
  readonly name: string;
  constructor(name: string) {
    if (!Object.hasOwn(ALLOWED, name) && !STORAGE.test(name))
      throw damaged(`names ${show(name)}, which is not opened: only plain data and tensors are`);
    this.name = name;
  }

  call(args: unknown, spend: Spend): unknown {
    const build = ALLOWED[this.name];
    if (!build) throw damaged(`calls ${this.name}`);
    return build(Array.isArray(args) ? (args as unknown[]) : [], spend);
  }
}

function damaged(what: string): RefusedError {
  return new RefusedError([
    `This pickle ${what}.`,
    "Nothing in it was run. Choose the file that the training program wrote.",
  ]);
}

/** Maximum number of values in a pickle. */
const MOST = 50_000_000;

const MARK = Symbol("mark");

/** Numbers, texts, lists, objects (of dicts, by text of the key), bytes and nested lists of tensors. @throws RefusedError */
export function unpickle(
  bytes: Uint8Array,
  storageOf: (id: readonly unknown[]) => Storage = noStorage,
): unknown {
  try {
    const value = plain(new Unpickler(bytes, storageOf).run());
    countIn(value);
    return value;
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw damaged("is damaged or not complete");
  }
}

function noStorage(): never {
  throw damaged("refers to data outside of itself");
}

/** Maps as objects without a prototype; unhashed numbers of 64 bits as floats. */
function plain(value: unknown, seen = new Map<object, unknown>()): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (value instanceof Global) return value.name;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    seen.set(value, value);
    for (const [i, one] of value.entries()) value[i] = plain(one, seen);
    return value;
  }
  const made = Object.create(null) as Record<string, unknown>;
  seen.set(value, made);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  for (const [key, one] of entries)
    made[typeof key === "object" ? "" : String(key)] = plain(one, seen);
  return made;
}

/** Values in it, those counted twice that are there twice: a list of a list of a list may be endless. @throws RefusedError */
function countIn(value: unknown, known = new Map<object, number>()): number {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, Infinity);
  let count = 1;
  for (const one of Array.isArray(value) ? value : Object.values(value))
    count += countIn(one, known);
  if (count > MOST) throw damaged("has more values than are read");
  known.set(value, count);
  return count;
}

const utf8 = new TextDecoder();

class Unpickler {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #storageOf: (id: readonly unknown[]) => Storage;
  #at = 0;
  #steps = 0;
  #stack: unknown[] = [];
  readonly #memo = new Map<number, unknown>();

  constructor(bytes: Uint8Array, storageOf: (id: readonly unknown[]) => Storage) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#storageOf = storageOf;
  }

  run(): unknown {
    for (;;) {
      const code = this.#u(1);
      if (code === 0x2e) return this.#pop();
      this.spend(1);
      const act = OPCODES[code];
      if (!act) throw damaged(`has the instruction ${code}, which is not known`);
      act(this);
    }
  }

  spend = (values: number): void => {
    this.#steps += values;
    if (this.#steps > MOST) throw damaged("has more values than are read");
  };

  push = (value: unknown): void => void this.#stack.push(value);
  mark = (): void => this.push(MARK);
  pop = (): void => void this.#pop();

  /** Little-endian, unsigned. */
  #u(size: 1 | 2 | 4 | 8): number {
    const at = this.#at;
    this.#at += size;
    if (size === 1) return this.#view.getUint8(at);
    if (size === 2) return this.#view.getUint16(at, true);
    return size === 4 ? this.#view.getUint32(at, true) : Number(this.#view.getBigUint64(at, true));
  }

  skip(size: number): void {
    this.#at += size;
  }

  number(size: 1 | 2): void {
    this.push(this.#u(size));
  }

  int32(): void {
    this.push(this.#u(4) | 0);
  }

  float(): void {
    this.push(this.#view.getFloat64(this.#at));
    this.#at += 8;
  }

  #take(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw damaged("is not complete");
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  long(size: 1 | 4): void {
    const bytes = this.#take(this.#u(size));
    if (bytes.length > 8) throw damaged("has an integer of more than 64 bits");
    let value = 0n;
    bytes.forEach((byte, i) => (value |= BigInt(byte) << BigInt(8 * i)));
    const bits = 8 * bytes.length;
    this.push(bits === 0 ? 0 : Number(BigInt.asIntN(bits, value)));
  }

  text(size: 1 | 4 | 8): void {
    this.push(utf8.decode(this.#take(this.#u(size))));
  }

  bytes(size: 1 | 4 | 8): void {
    this.push(this.#take(this.#u(size)));
  }

  line(read: (text: string) => unknown): void {
    this.push(read(this.#line()));
  }

  #line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at);
    if (end < 0) throw damaged("is not complete");
    const text = utf8.decode(this.#bytes.subarray(this.#at, end));
    this.#at = end + 1;
    return text;
  }

  #pop(): unknown {
    if (this.#stack.length === 0) throw damaged("is damaged");
    return this.#stack.pop();
  }

  /** What is above the last mark, which is removed with it. */
  #marked(): unknown[] {
    const from = this.#stack.lastIndexOf(MARK);
    if (from < 0) throw damaged("is damaged");
    const values = this.#stack.splice(from).slice(1);
    return values;
  }

  popMark = (): void => void this.#marked();
  list = (): void => this.push(this.#marked());

  tuple(n: number): void {
    this.push(this.#stack.splice(this.#stack.length - n, n));
  }

  dict = (): void => this.push(set(new Map(), this.#marked()));

  append(values = [this.#pop()]): void {
    const list = this.#stack.at(-1);
    if (!Array.isArray(list)) throw damaged("is damaged");
    for (const value of values) list.push(value);
  }

  appends = (): void => this.append(this.#marked());

  setItem(): void {
    const [value, key] = [this.#pop(), this.#pop()];
    this.#setAll([key, value]);
  }

  setItems = (): void => this.#setAll(this.#marked());

  #setAll(pairs: unknown[]): void {
    const map = this.#stack.at(-1);
    if (!(map instanceof Map)) throw damaged("is damaged");
    set(map, pairs);
  }

  global(): void {
    this.push(new Global(`${this.#line()}.${this.#line()}`));
  }

  stackGlobal(): void {
    const [name, module] = [this.#pop(), this.#pop()];
    this.push(new Global(`${String(module)}.${String(name)}`));
  }

  reduce(): void {
    const [args, callee] = [this.#pop(), this.#pop()];
    if (!(callee instanceof Global)) throw damaged("calls something that is no name");
    this.push(callee.call(args, this.spend));
  }

  build(): void {
    const state = this.#pop();
    const object = this.#stack.at(-1);
    if (Array.isArray(object)) rebuild.fillArray(object, state, this.spend);
    else if (object instanceof Map && Array.isArray(state)) set(object, state);
    else if (typeof object === "object" && object !== null && "state" in object)
      object.state = state;
  }

  persistent(): void {
    const id = this.#pop();
    this.push(this.#storageOf(Array.isArray(id) ? id.map(nameOf) : []));
  }

  put(at = this.#memo.size): void {
    this.#memo.set(at, this.#stack.at(-1));
  }

  putAt(size: 1 | 4): void {
    this.put(this.#u(size));
  }

  getAt(size: 1 | 4): void {
    this.get(this.#u(size));
  }

  get(at: number): void {
    if (!this.#memo.has(at)) throw damaged("is damaged");
    this.push(this.#memo.get(at));
  }

  putLine = (): void => this.put(Number(this.#line()));
  getLine = (): void => this.get(Number(this.#line()));
  duplicate = (): void => this.push(this.#stack.at(-1));
}

function nameOf(value: unknown): unknown {
  return value instanceof Global ? value.name : value;
}

function set(map: Map<unknown, unknown>, pairs: readonly unknown[]): Map<unknown, unknown> {
  for (let i = 0; i + 1 < pairs.length; i += 2) map.set(pairs[i], pairs[i + 1]);
  return map;
}

function latinBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const OPCODES: Readonly<Record<number, (machine: Unpickler) => void>> = {
  [0x80]: (m) => m.skip(1), // PROTO
  [0x95]: (m) => m.skip(8), // FRAME
  [0x28]: (m) => m.mark(), // MARK
  [0x30]: (m) => m.pop(), // POP
  [0x31]: (m) => m.popMark(), // POP_MARK
  [0x32]: (m) => m.duplicate(), // DUP
  [0x4e]: (m) => m.push(null), // NONE
  [0x88]: (m) => m.push(true), // NEWTRUE
  [0x89]: (m) => m.push(false), // NEWFALSE
  [0x49]: (m) => m.line((text) => ({ "00": false, "01": true })[text] ?? Number(text)), // INT
  [0x4c]: (m) => m.line((text) => Number(text.replace(/L$/, ""))), // LONG
  [0x46]: (m) => m.line(Number), // FLOAT
  [0x56]: (m) => m.line(String), // UNICODE
  [0x53]: (m) => m.line((text) => text.slice(1, -1)), // STRING
  [0x4a]: (m) => m.int32(), // BININT
  [0x4b]: (m) => m.number(1), // BININT1
  [0x4d]: (m) => m.number(2), // BININT2
  [0x8a]: (m) => m.long(1), // LONG1
  [0x8b]: (m) => m.long(4), // LONG4
  [0x47]: (m) => m.float(), // BINFLOAT
  [0x54]: (m) => m.text(4), // BINSTRING
  [0x55]: (m) => m.text(1), // SHORT_BINSTRING
  [0x58]: (m) => m.text(4), // BINUNICODE
  [0x8c]: (m) => m.text(1), // SHORT_BINUNICODE
  [0x8d]: (m) => m.text(8), // BINUNICODE8
  [0x42]: (m) => m.bytes(4), // BINBYTES
  [0x43]: (m) => m.bytes(1), // SHORT_BINBYTES
  [0x8e]: (m) => m.bytes(8), // BINBYTES8
  [0x96]: (m) => m.bytes(8), // BYTEARRAY8
  [0x5d]: (m) => m.push([]), // EMPTY_LIST
  [0x29]: (m) => m.push([]), // EMPTY_TUPLE
  [0x8f]: (m) => m.push([]), // EMPTY_SET
  [0x7d]: (m) => m.push(new Map()), // EMPTY_DICT
  [0x61]: (m) => m.append(), // APPEND
  [0x65]: (m) => m.appends(), // APPENDS
  [0x90]: (m) => m.appends(), // ADDITEMS
  [0x6c]: (m) => m.list(), // LIST
  [0x74]: (m) => m.list(), // TUPLE
  [0x91]: (m) => m.list(), // FROZENSET
  [0x85]: (m) => m.tuple(1), // TUPLE1
  [0x86]: (m) => m.tuple(2), // TUPLE2
  [0x87]: (m) => m.tuple(3), // TUPLE3
  [0x64]: (m) => m.dict(), // DICT
  [0x73]: (m) => m.setItem(), // SETITEM
  [0x75]: (m) => m.setItems(), // SETITEMS
  [0x63]: (m) => m.global(), // GLOBAL
  [0x93]: (m) => m.stackGlobal(), // STACK_GLOBAL
  [0x52]: (m) => m.reduce(), // REDUCE
  [0x81]: (m) => m.reduce(), // NEWOBJ
  [0x62]: (m) => m.build(), // BUILD
  [0x51]: (m) => m.persistent(), // BINPERSID
  [0x94]: (m) => m.put(), // MEMOIZE
  [0x71]: (m) => m.putAt(1), // BINPUT
  [0x72]: (m) => m.putAt(4), // LONG_BINPUT
  [0x70]: (m) => m.putLine(), // PUT
  [0x68]: (m) => m.getAt(1), // BINGET
  [0x6a]: (m) => m.getAt(4), // LONG_BINGET
  [0x67]: (m) => m.getLine(), // GET
};
