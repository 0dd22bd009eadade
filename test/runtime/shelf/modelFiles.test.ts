/** Model folders kept in the browser's own files. */
import { expect, test } from "vitest";
import { browserModels } from "../../../src/runtime/shelf/modelFiles.ts";
import { browserFiles } from "../../fixtures/browserFiles.ts";

const hash = "a".repeat(64);
const files = new Map([
  ["config.json", new Blob(["{}"])],
  ["model.safetensors", new Blob([new Uint8Array(1000)])],
]);

function shelf() {
  const { rules, root, top } = browserFiles();
  const use = async () => ({ used: 0, most: 5000 });
  return { rules, top, models: browserModels(root, use) };
}

test("a folder is kept, listed, opened and deleted", async () => {
  const { models } = shelf();
  expect(await models.list()).toEqual([]);
  const seen: number[] = [];
  await models.keep({ hash, name: "small" }, files, (done) => seen.push(done));
  expect(seen).toEqual([2, 1002]);
  expect(await models.list()).toEqual([{ hash, name: "small", bytes: 1002 }]);
  const opened = await models.open(hash);
  expect([...opened!.keys()]).toEqual(["config.json", "model.safetensors"]);
  expect(await opened!.get("config.json")!.text()).toBe("{}");
  await models.drop(hash);
  expect([await models.list(), await models.open(hash)]).toEqual([[], null]);
});

test("nothing is left of a copy for which there is no room, or that fails", async () => {
  const { models, rules, top } = shelf();
  const large = new Map([["model.safetensors", new Blob([new Uint8Array(6000)])]]);
  await expect(models.keep({ hash, name: "large" }, large)).rejects.toThrow(
    /has 6.0.kB, and the browser has room for 5.0.kB; delete kept models or runs first/,
  );
  rules.room = 500;
  await expect(models.keep({ hash, name: "small" }, files)).rejects.toThrow(
    /the browser's storage is full: the folder has 1.0.kB/,
  );
  rules.room = Infinity;
  rules.writes = 1;
  await expect(models.keep({ hash, name: "small" }, files)).rejects.toThrow(/the copy failed/);
  expect([await models.list(), await models.open(hash)]).toEqual([[], null]);
  expect([...top.entries.keys()]).toEqual(["turnbook-models"]);
  const none = browserModels(() => Promise.reject(new TypeError("no storage")));
  expect(await none.list()).toEqual([]);
  await expect(none.keep({ hash, name: "small" }, files)).rejects.toThrow(
    "this browser cannot keep files; choose the folder again next time",
  );
});
