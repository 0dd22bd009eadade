import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readTokenizer } from "../../src/text/tokenizer.ts";
import { turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-tokenizer-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("learns a small tokenizer from few games and writes it as a folder", async () => {
  const out = join(folder, "small");
  const said = await turnbook("tokenizer", "--out", out, "--games", "100", "--tokens", "300");
  expect([said.code, said.progress]).toEqual([0, []]);
  expect(said.json[0]).toMatchObject({ out, tokens: 300, merges: expect.any(String) });
  const read = (name: string): unknown => JSON.parse(readFileSync(join(out, name), "utf8"));
  const tokenizer = readTokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
  expect(tokenizer.vocabSize).toBe(300);
  // The most frequent words of the games are tokens; the checksums hold.
  expect(tokenizer.encode(" # # _<think>").length).toBe(4);
  const { code, json } = await turnbook("verify", out);
  expect([code, json.every(({ state }) => state !== "altered")]).toEqual([0, true]);
});

it.each([
  [[], "tokenizer needs --out DIR"],
  [["--out", join(folder, "few"), "--tokens", "262"], "--tokens"],
  [["--out", import.meta.dirname], "it must be a new or an empty folder"],
  [["--out", join(folder, "few"), "--games", "20"], "--games"],
  [["--out", join(folder, "many"), "--games", "100", "--tokens", "30000"], "the texts give only"],
])("%j is bad input", async (argv, message) => {
  const { code, progress } = await turnbook("tokenizer", ...argv);
  expect([code, progress]).toEqual([2, [expect.stringContaining(message)]]);
});
