/** Files that a trainer still writes: what is read of them, and when again. */
import { expect, it } from "vitest";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { following } from "../../src/store/followFiles.ts";
import type { ImportListener, Refusal } from "../../src/store/importFiles.ts";

const FACTS = { title: "verl", command: "", absent: [], notes: [], warnings: [] };
const file = (name: string, text: string, lastModified = 1) =>
  new File([text], name, { lastModified });

/** Each reading's files by name, with their text; `answer` is what the reader then says. */
function follow(current: () => Promise<readonly File[]>, name: string | null = null) {
  const readings: Record<string, string>[] = [];
  const said: string[] = [];
  const start = (files: readonly File[], listener: ImportListener) => {
    void Promise.all(files.map((one) => one.text())).then((texts) => {
      readings.push(Object.fromEntries(files.map((one, i) => [one.name, texts[i]!])));
      const log = new RunLog();
      if (texts.join("") === "") return listener.onRefused({ why: "nothing", action: "" }, name);
      listener.onRead(log, FACTS, name);
      listener.onChecked(log, { warnings: [], integrity: null });
    });
    return () => void said.push("stopped");
  };
  const stop = following(
    current,
    start,
    5,
  )([], {
    onRead: (_log, { notes }) => void said.push(`read, ${notes.length} note`),
    onChecked: () => void said.push("checked"),
    onRefused: ({ why }: Refusal) => void said.push(why),
  });
  return { readings, said, stop };
}

const looks = (count: number, done: () => number) => {
  const from = done();
  return expect.poll(() => done() - from).toBeGreaterThan(count);
};

it("reads again when lines or files come; a line without its end waits; nothing new is not read", async () => {
  let files = [file("1.jsonl", '{"a":1}\n{"b')];
  let asked = 0;
  const { readings, stop } = follow(async () => (asked++, files));
  await expect.poll(() => readings).toEqual([{ "1.jsonl": '{"a":1}\n' }]);
  await looks(3, () => asked);
  expect(readings).toHaveLength(1);
  files = [file("1.jsonl", '{"a":1}\n{"b":2}\n', 2)];
  await expect.poll(() => readings[1]).toEqual({ "1.jsonl": '{"a":1}\n{"b":2}\n' });
  // A last line that is whole but for its end counts, and a list may have any end.
  files = [...files, file("2.jsonl", '{"c":3}'), file("list.json", "[\n1\n]")];
  await expect
    .poll(() => readings[2])
    .toEqual({ "1.jsonl": '{"a":1}\n{"b":2}\n', "2.jsonl": '{"c":3}', "list.json": "[\n1\n]" });
  stop();
});

it("waits for the first file, goes on after a failure, and says what is refused", async () => {
  let files: File[] = [];
  let asked = 0;
  const { said, stop } = follow(async () => {
    if (++asked === 2) throw new Error("away");
    return files;
  });
  await looks(3, () => asked);
  expect(said).toEqual([]);
  files = [file("1.jsonl", '{"a')];
  await expect.poll(() => said).toEqual(["nothing"]);
  files = [file("1.jsonl", '{"a":1}\n')];
  await expect.poll(() => said).toEqual(["nothing", "read, 1 note", "checked"]);
  stop();
  expect(said.at(-1)).toBe("stopped");
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBeLessThanOrEqual(before + 1);
});

it("reads several recordings once: each is a run of its own", async () => {
  let text = '{"a":1}\n';
  let asked = 0;
  const { readings } = follow(async () => (asked++, [file("1.jsonl", text)]), "one");
  await expect.poll(() => readings).toHaveLength(1);
  text += text;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([readings.length, asked]).toEqual([1, 1]);
});
