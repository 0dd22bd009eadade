import { describe, expect, it } from "vitest";
import { droppedEntries } from "../../src/app/droppedEntries.ts";
import {
  filesOf,
  isReadable,
  MOST_FILES,
  packedAmong,
  runFiles,
} from "../../src/app/importFolder.ts";
import { filePath } from "../../src/store/importFiles.ts";

/** As the browser gives them: entries of a folder in portions of a hundred. */
function folder(path: string, children: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    const left = [...children];
    const readEntries = (take: (some: FileSystemEntry[]) => void) => take(left.splice(0, 100));
    return { readEntries };
  };
  return { isDirectory: true, name: path, fullPath: path, createReader } as never;
}

function leaf(path: string): FileSystemEntry {
  const file = (take: (file: File) => void) => take(new File(["{}"], path.split("/").at(-1)!));
  return { isDirectory: false, name: path, fullPath: path, file } as never;
}

const drop = (...entries: (FileSystemEntry | null)[]) =>
  ({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }) as never;

describe("dropped folders", () => {
  it("give the files in them that can be read, in any depth, by their paths", async () => {
    const steps = Array.from({ length: 150 }, (_, i) =>
      folder(`/out/step_${i}`, [leaf(`/out/step_${i}/rank_0.jsonl`)]),
    );
    const others = ["weights.bin", ".hidden.json", "config.toml"].map((n) => leaf(`/out/${n}`));
    const entries = droppedEntries(
      drop(folder("/out", [...steps, ...others]), leaf("/notes.log")),
    )!;
    const paths = (await filesOf(entries)).map(filePath);
    expect(paths).toHaveLength(151);
    expect(paths).toContain("out/step_149/rank_0.jsonl");
    // What was dropped by itself is what the reader means.
    expect(paths).toContain("notes.log");
  });

  it("are read for what is packed too, but for weights, and name what may hold episodes and is left", async () => {
    const logs = [
      ...["1.jsonl", "2.jsonl.gz", "c.parquet", "rollout_1.pt"],
      ...["table.csv", "table.tsv", "train_input.pkl"],
    ];
    const weights = ["actor/model_world_size_2_rank_0.pt", "optimizer.pt", "data.pt"];
    const others = ["weights.bin", "model.safetensors", "notes.md", "config.yaml", "old.jsonl.xz"];
    const left: string[] = [];
    const names = [...logs, ...weights, ...others];
    const read = await filesOf(
      [
        folder(
          "/out",
          names.map((name) => leaf(`/out/${name}`)),
        ),
      ],
      (path) => left.push(path),
    );
    expect(read.map(filePath).toSorted()).toEqual(logs.map((name) => `out/${name}`));
    expect(packedAmong(left, read).sort()).toEqual(
      ["old.jsonl.xz", ...weights].map((name) => `out/${name}`).sort(),
    );
    // Of a chosen folder all paths are known, and those that are read are among them.
    expect(packedAmong(["out/1.jsonl", "out/old.xz"], read)).toEqual(["out/old.xz"]);
  });

  it("leave out what is packed and larger than can be read", () => {
    const sized = (name: string, size: number) =>
      Object.defineProperty(new File([""], name), "size", { value: size });
    const files = [
      ["big.pt", 9e9],
      ["1.jsonl", 5e7],
      ["a.pt", 1e8],
      ["b.pt", 1e7],
    ] as const;
    const read = runFiles(files.map(([name, size]) => sized(name, size)));
    expect(read.map(({ name }) => name)).toEqual(["1.jsonl", "a.pt", "b.pt"]);
  });

  it("are told from files, and end where there are too many", async () => {
    expect(droppedEntries(drop(leaf("/a.jsonl"), null))).toBeNull();
    const many = Array.from({ length: MOST_FILES + 50 }, (_, i) => leaf(`/out/${i}.json`));
    expect(await filesOf([folder("/out", many)])).toHaveLength(MOST_FILES + 1);
    expect(["a/1.jsonl", "a/.b.json", "a/jsonl", "b.NDJSON"].map(isReadable)).toEqual([
      ...[true, false, false, true],
    ]);
  });
});
