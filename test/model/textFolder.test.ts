/** Folders that read and write text: what is known of one beforehand, and what is refused. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { speak } from "../../src/model/speak.ts";
import { blobOpener, hashFolder, openTextFolder } from "../../src/model/textFolder.ts";
import { loadOpened } from "../../src/model/loadOpened.ts";
import { tokenPieces } from "../../src/text/tokenPieces.ts";
import { talkerTokenizer } from "../../src/text/talkerTokenizer.ts";
import { openEngine } from "../engine/support.ts";
import { blobsOf, smallFolder, type FolderBytes } from "./smallFolder.ts";

const open = (files: FolderBytes) => openTextFolder(blobOpener(blobsOf(files)), [...files.keys()]);
const changed = (name: string, content: Uint8Array<ArrayBuffer> | string | null) => {
  const files = smallFolder();
  if (content === null) files.delete(name);
  else files.set(name, typeof content === "string" ? new TextEncoder().encode(content) : content);
  return open(files);
};

test("a folder's tokenizer, template, stop tokens and files are known from headers", async () => {
  const folder = await open(smallFolder(1, 3));
  expect(folder.files).toEqual([
    "chat_template.jinja",
    "config.json",
    "generation_config.json",
    "model-1-of-3.safetensors",
    "model-2-of-3.safetensors",
    "model-3-of-3.safetensors",
    "model.safetensors.index.json",
    "tokenizer.json",
    "tokenizer_config.json",
  ]);
  const { tokenizer, template, hasThinking, stopIds } = folder;
  expect(hasThinking).toBe(true);
  expect(stopIds).toEqual(
    [1020, 1017, tokenizer.id("<|im_end|>")].filter((id, i, all) => all.indexOf(id) === i),
  );
  const text = template!([{ role: "user", content: "Hi" }], {
    addGenerationPrompt: true,
    enableThinking: false,
  });
  expect(text).toContain("<think>\n\n</think>");
});

test("the hash is that of the list that sha256sum makes, whatever else lies there", async () => {
  const files = smallFolder(1, 2);
  const { files: names } = await open(files);
  const seen: number[] = [];
  const { hash, files: hashed } = await hashFolder(blobOpener(blobsOf(files)), names, (done) => {
    seen.push(done);
  });
  const sum = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
  expect(hashed.map(({ sha256 }) => sha256)).toEqual(names.map((name) => sum(files.get(name)!)));
  expect(hash).toBe(sum(hashed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("")));
  expect(seen.at(-1)).toBe(names.reduce((bytes, name) => bytes + files.get(name)!.length, 0));
});

test.each([
  ["tokenizer.json", null, "the folder has no tokenizer.json; put the model's own there"],
  ["model.safetensors", null, /neither model.safetensors nor model.safetensors.index.json/],
  ["config.json", '{"model_type": "llama"}', /model_type is "llama"; it must be qwen2 or qwen3/],
  ["tokenizer.json", '{"model": {"vocab": {"a": 5000}}, "added_tokens": []}', /ids up to 5000/],
  ["model.safetensors", new Uint8Array(4), /has 4 bytes; a safetensors file has at least 8/],
  ["chat_template.jinja", "{{ nobody }}", /prints nobody, which is not defined/],
])("%s as it should not be is refused by name", async (name, content, why) => {
  const opened = changed(name, content);
  if (content === "{{ nobody }}")
    await expect(opened.then(({ template }) => template!([]))).rejects.toThrow(why);
  else await expect(opened).rejects.toThrow(why);
});

test("a missing shard, a cut one and one with NaN are refused by name", async () => {
  const [missing, cut, wrong] = [smallFolder(1, 2), smallFolder(1, 2), smallFolder(1, 2)];
  const shard = "model-2-of-2.safetensors";
  missing.delete(shard);
  await expect(open(missing)).rejects.toThrow(`${shard} cannot be read: it is missing`);
  cut.set(shard, cut.get(shard)!.slice(0, -1000));
  await expect(open(cut)).rejects.toThrow(new RegExp(`${shard}.*truncated`));
  wrong.get(shard)!.fill(0xff, -2);
  const engine = await openEngine("plan wasm");
  const { opened } = await open(wrong);
  await expect(loadOpened(engine, opened)).rejects.toThrow(/holds NaN at index .*must be finite/);
  engine.dispose();
});

test("tokens come one by one as they would at once, until a stop token", async () => {
  const { opened } = await open(smallFolder());
  const engine = await openEngine("plan wasm");
  const model = await loadOpened(engine, opened);
  const asked = { ids: [5, 6, 7], maxTokens: 12, temperature: 0.9, topP: 0.95, seed: 3 };
  const said = async (look: number, stopIds: number[] = []) => {
    const tokens = [];
    for await (const some of speak(model, { ...asked, stopIds }, look)) tokens.push(...some);
    return tokens;
  };
  const whole = await said(12);
  expect(whole).toHaveLength(12);
  expect(new Set(whole.map(({ id }) => id)).size).toBeGreaterThan(3);
  expect(await said(1)).toEqual(whole);
  expect(await said(5)).toEqual(whole);
  const stop = whole[6]!.id;
  const until = whole.findIndex(({ id }) => id === stop) + 1;
  expect(await said(4, [stop])).toEqual(whole.slice(0, until));
  engine.dispose();
});

test("a character of several tokens comes with the last of them", () => {
  const tokenizer = talkerTokenizer();
  const text = "ok é 😀.";
  const piece = tokenPieces(tokenizer);
  const pieces = tokenizer.encode(text).map(piece);
  expect(pieces.join("")).toBe(text);
  expect(pieces).toContain("");
  expect(pieces.join("|")).not.toContain("\ufffd");
});
