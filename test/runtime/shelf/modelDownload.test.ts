/** Model folders at an address: which address is meant, what is looked at, and a download that continues. */
import { expect, test } from "vitest";
import {
  fetchFolder,
  folderAddress,
  lookAt,
  type Connection,
} from "../../../src/runtime/shelf/modelDownload.ts";
import { browserModels } from "../../../src/runtime/shelf/modelFiles.ts";
import { browserFiles } from "../../fixtures/browserFiles.ts";

const ORIGIN = "http://127.0.0.1:4000";
const PIECE = 32 * 2 ** 20;

test.each([
  ["huggingface.co/Qwen/Qwen2.5-0.5B", "https://huggingface.co/Qwen/Qwen2.5-0.5B/resolve/main/"],
  ["https://huggingface.co/a/b/tree/v1", "https://huggingface.co/a/b/resolve/v1/"],
  ["https://x.org/m/config.json", "https://x.org/m/"],
  ["https://x.org/m", "https://x.org/m/"],
  ["models/nano", `${ORIGIN}/models/nano/`],
])("%s means %s", (typed, url) => {
  expect(folderAddress(typed, ORIGIN).href).toBe(url);
});

test.each([
  ["http://x.org/m", 'the address is "http://x.org/m"; it must begin with https://'],
  ["  ", 'the address is ""; it must begin with https://'],
  ["javascript:alert(1)", "it must begin with https://"],
  ["https://me:secret@x.org/m", "the address holds a name or a password"],
])("%s is refused", (typed, why) => {
  expect(() => folderAddress(typed, ORIGIN)).toThrow(why);
});

const TEXTS = ["config.json", "tokenizer.json", "tokenizer_config.json"];
/** Distinct bytes, more than one piece. */
const weights = Uint8Array.from({ length: PIECE + 1000 }, (_, i) => (i * 7919) % 251);

/** A server of one folder: files that are missing, and how it answers ranges. */
function server(files = new Map<string, Uint8Array | string>()) {
  const served = new Map<string, Uint8Array | string>([
    ...TEXTS.map((name) => [name, `{"of": "${name}"}`] as const),
    ["model.safetensors", weights],
    ...files,
  ]);
  const rules = { ranges: true, breaksAfter: Infinity, cut: 0, length: true };
  const asked: string[] = [];
  const answer = (async (url: URL, { method = "GET", headers = {} } = {} as RequestInit) => {
    const name = url.pathname.split("/").at(-1)!;
    const file = served.get(name);
    if (file === undefined) return new Response(null, { status: 404 });
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
    const length = rules.length ? { "content-length": String(bytes.length) } : {};
    if (method === "HEAD") return new Response(null, { headers: length as Record<string, string> });
    if (rules.breaksAfter-- <= 0) throw new TypeError("Failed to fetch");
    const range = /bytes=(\d+)-(\d+)/.exec((headers as Record<string, string>)["range"] ?? "");
    asked.push(range ? `${name} ${range[1]}-${range[2]}` : name);
    if (!range || !rules.ranges) return new Response(bytes as BodyInit);
    const part = bytes.slice(Number(range[1]), Number(range[2]) + 1 - rules.cut);
    return new Response(part, { status: 206 });
  }) as unknown as typeof fetch;
  const connection: Connection = { origin: ORIGIN, fetch: answer };
  return { served, rules, asked, connection };
}

function disk() {
  const { rules, root, top } = browserFiles();
  return { rules, top, models: browserModels(root, async () => ({ used: 0, most: 2 ** 40 })) };
}

const PATH = "https://huggingface.co/Qwen/Small";

test("a folder is looked at, fetched by ranges, kept under its hash and opened", async () => {
  const { connection, asked } = server();
  const { models } = disk();
  const folder = await lookAt(PATH, connection);
  expect([folder.name, folder.host, folder.files.map(({ name }) => name)]).toEqual([
    "Small",
    "huggingface.co",
    [...TEXTS, "model.safetensors"],
  ]);
  expect(asked).toEqual([]);
  const seen: number[] = [];
  const { key, files } = await fetchFolder(folder, connection, models.downloads, (n) =>
    seen.push(n),
  );
  expect([seen[0], seen.at(-1)]).toEqual([0, folder.bytes]);
  expect(asked.slice(-2)).toEqual([
    `model.safetensors 0-${PIECE - 1}`,
    `model.safetensors ${PIECE}-${PIECE + 999}`,
  ]);
  expect([...files.keys()].sort()).toEqual([...TEXTS, "model.safetensors"].sort());
  const whole = new Uint8Array(await files.get("model.safetensors")!.arrayBuffer());
  expect(Buffer.compare(whole, weights)).toBe(0);
  expect(await models.list()).toEqual([]);
  const kept = { hash: "b".repeat(64), name: "Small", bytes: folder.bytes };
  await models.downloads.finish(key, kept);
  expect([await models.list(), await models.downloads.unfinished()]).toEqual([[kept], []]);
  expect((await models.open(kept.hash))!.get("model.safetensors")!.size).toBe(weights.length);
  await models.drop(kept.hash);
  expect(await models.list()).toEqual([]);
});

test("a broken download continues where it was; a changed folder begins again", async () => {
  const { connection, rules, asked, served } = server();
  const { models } = disk();
  const folder = await lookAt(PATH, connection);
  rules.breaksAfter = 4;
  await expect(fetchFolder(folder, connection, models.downloads, () => {})).rejects.toThrow(
    /huggingface.co could not be reached/,
  );
  const [left] = await models.downloads.unfinished();
  expect(left!.bytes).toBeGreaterThan(PIECE);
  rules.breaksAfter = Infinity;
  asked.length = 0;
  await fetchFolder(folder, connection, models.downloads, () => {});
  expect(asked).toEqual([`model.safetensors ${PIECE}-${PIECE + 999}`]);
  served.set("model.safetensors", weights.slice(0, PIECE + 500));
  asked.length = 0;
  await fetchFolder(await lookAt(PATH, connection), connection, models.downloads, () => {});
  expect(asked).toHaveLength(5);
});

test("shards are those that the index names, and none leads out of the folder", async () => {
  const index = (name: string) => JSON.stringify({ weight_map: { a: name, b: name } });
  const shard = "model-00001-of-00001.safetensors";
  const INDEX = "model.safetensors.index.json";
  const { connection, served } = server(
    new Map<string, string | Uint8Array>([
      [INDEX, index(shard)],
      [shard, weights.slice(0, 10)],
    ]),
  );
  const { files } = await lookAt(PATH, connection);
  expect(files.map(({ name }) => name)).toEqual([...TEXTS, INDEX, shard]);
  for (const bad of ["../x.safetensors", "https://y/x.safetensors", "x.bin"]) {
    served.set(INDEX, index(bad));
    await expect(lookAt(PATH, connection)).rejects.toThrow(/must name 1 to 500 files/);
  }
  served.set(INDEX, index("lost.safetensors"));
  await expect(lookAt(PATH, connection)).rejects.toThrow(/has no lost.safetensors/);
});

test("what cannot be downloaded is said in a sentence, and pieces that are right stay", async () => {
  const { connection, rules, served } = server();
  const { models, rules: store } = disk();
  const folder = await lookAt(PATH, connection);
  const get = () => fetchFolder(folder, connection, models.downloads, () => {});
  rules.cut = 1;
  await expect(get()).rejects.toThrow(/sent .* of model.safetensors, not .*it continues/);
  rules.cut = 0;
  rules.ranges = false;
  await expect(get()).rejects.toThrow(/sends model.safetensors as a whole only/);
  rules.ranges = true;
  store.room = 1000;
  await expect(get()).rejects.toThrow(/the browser's storage is full/);
  rules.length = false;
  await expect(lookAt(PATH, connection)).rejects.toThrow(/does not say how long/);
  rules.length = true;
  served.delete("tokenizer.json");
  await expect(lookAt(PATH, connection)).rejects.toThrow(
    "huggingface.co has no tokenizer.json at /Qwen/Small/resolve/main/",
  );
  const full = browserModels(browserFiles().root, async () => ({ used: 0, most: 1000 }));
  await expect(fetchFolder(folder, connection, full.downloads, () => {})).rejects.toThrow(
    /the browser has room for/,
  );
});
