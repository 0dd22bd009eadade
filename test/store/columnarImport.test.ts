/** A columnar recording as files of the reader's: a folder of parts, or the zip that the page saves. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { MANIFEST } from "../../src/interchange/columnar/manifest.ts";
import { startsAsColumnarZip, zipColumnar } from "../../src/interchange/columnar/zip.ts";
import { words } from "../../src/interchange/import/words.ts";
import { recordedSource } from "../../src/reading/log/columnar.ts";
import { findColumnar, readFound } from "../../src/store/columnarImport.ts";
import { rememberPath } from "../../src/store/importFiles.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "public", "runs", "nano");
const names = readdirSync(FOLDER);
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const all = new Map(names.map((name) => [name, bytesOf(name)]));

function folder(files: ReadonlyMap<string, Uint8Array>, at = "runs/nano/"): File[] {
  return [...files].map(([name, bytes]) => {
    const file = new File([bytes as Uint8Array<ArrayBuffer>], name);
    rememberPath(file, at + name);
    return file;
  });
}

async function read(files: readonly File[]) {
  const heard = { onRead: vi.fn(), onChecked: vi.fn(), onRefused: vi.fn() };
  const found = await findColumnar(files);
  await readFound(found, heard, () => false, files);
  return { found, ...heard };
}

function changed(name: string): Map<string, Uint8Array> {
  const bytes = bytesOf(name);
  bytes[bytes.length >> 1]! ^= 1;
  return new Map([...all, [name, bytes]]);
}

describe("a folder", () => {
  it("is read with its manifest, and then looked through", async () => {
    const { onRead, onChecked, onRefused } = await read(folder(all));
    expect(onRefused).not.toHaveBeenCalled();
    const [log, facts, name] = onRead.mock.calls[0]!;
    expect([log.start.type, facts.title, name]).toEqual(["start", "Turnbook", null]);
    expect(recordedSource(log)!.canAnswer).toBe(true);
    const { integrity } = onChecked.mock.calls[0]![1];
    expect(integrity).toMatchObject({ state: "file", fault: null, read: names.length });
  });

  it("names logs that were chosen with it and are not read", async () => {
    const log = new File(["{}"], "1.jsonl");
    const { onRead } = await read([...folder(all), log]);
    expect(onRead.mock.calls[0]![1].warnings).toEqual([words.columnar.others(["1.jsonl"])]);
    const alone = await read([...folder(all, ""), log]);
    expect(alone.onRead.mock.calls[0]![1].warnings).toHaveLength(1);
    expect((await read(folder(all))).onRead.mock.calls[0]![1].warnings).toEqual([]);
  });

  it("says which of its files is damaged or missing", async () => {
    const damaged = await read(folder(changed("turns-1.bin")));
    expect(damaged.onChecked.mock.calls[0]![1].integrity.fault).toContain("turns-1.bin is damaged");
    const some = new Map([...all].filter(([name]) => name !== "turns-1.bin"));
    const missing = await read(folder(some));
    expect(missing.onChecked.mock.calls[0]![1].integrity.fault).toContain(
      "turns-1.bin is missing beside the other files",
    );
  });

  it("is refused where its manifest or its curves are damaged", async () => {
    for (const name of [MANIFEST, "curves.bin"]) {
      const { onRead, onRefused } = await read(folder(changed(name)));
      expect(onRead).not.toHaveBeenCalled();
      expect(onRefused.mock.calls[0]![0].why).toContain("damaged");
    }
  });

  it("is one of several where there are several", async () => {
    const { onRead } = await read([...folder(all, "a/"), ...folder(all, "b/")]);
    expect(onRead.mock.calls.map(([, , name]) => name)).toEqual(["a", "b"]);
  });

  it("is not another program's recording.json", async () => {
    expect(await findColumnar([new File(["{}"], MANIFEST)])).toEqual([]);
    expect(await findColumnar([new File(["PK\x03\x04"], "run.zip")])).toEqual([]);
  });
});

describe("a zip", () => {
  it("is told by its start, and read as the folder is", async () => {
    const bytes = (await zipColumnar(all)) as Uint8Array<ArrayBuffer>;
    expect(startsAsColumnarZip(bytes)).toBe(true);
    const { onRead, onChecked } = await read([new File([bytes], "nano.turnbook.zip")]);
    expect(onRead).toHaveBeenCalledOnce();
    expect(onChecked.mock.calls[0]![1].integrity).toMatchObject({ fault: null });
  });

  it("is refused where it is damaged", async () => {
    const bytes = (await zipColumnar(all)) as Uint8Array<ArrayBuffer>;
    bytes[bytes.length >> 1]! ^= 1;
    const { onRead, onRefused } = await read([new File([bytes], "nano.turnbook.zip")]);
    expect(onRead).not.toHaveBeenCalled();
    expect(onRefused.mock.calls[0]![0].why).toContain("SHA-256");
  });
});
