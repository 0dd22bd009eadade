/** A notebook with its runs as one zip: comes back as it was, and what is damaged or too large is refused before it is unpacked. */
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { packNotebook, unpackNotebook } from "../../src/store/notebookZip.ts";

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

it("comes back as it was", async () => {
  const runs = fc.dictionary(id, fc.uint8Array(), { noNullPrototype: true });
  const swept = fc.array(fc.uint8Array(), { maxLength: 5 });
  const digest = (i: number) => String(i).padStart(32, "0");
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), runs, swept, async (text, files, some) => {
      const sweeps = new Map(some.map((bytes, i) => [digest(i), bytes]));
      const notebook = {
        ...{ text, runs: new Map(Object.entries(files)), sweeps, answers: [{ given: text }] },
      };
      const again = await unpackNotebook(await packNotebook(notebook));
      expect(again.text).toBe(text);
      expect(again.answers).toEqual(notebook.answers);
      expect(new Map([...again.sweeps].sort())).toEqual(sweeps);
      expect(new Map([...again.runs].sort())).toEqual(new Map([...notebook.runs].sort()));
    }),
  );
});

it("is refused wherever a bit has flipped", async () => {
  const zip = await packNotebook({
    ...{ text: "# A\n", runs: new Map([["a", new Uint8Array(99)]]), answers: null },
    sweeps: new Map(),
  });
  for (let at = 0; at < zip.length; at += 7) {
    const damaged = zip.slice();
    damaged[at]! ^= 1 << (at % 8);
    await expect(unpackNotebook(damaged), `byte ${at}`).rejects.toThrow(/^the (zip|file) /);
  }
});

const zipped = (files: Record<string, Uint8Array>) => zipSync(files);

it.each([
  ["no zip", new Uint8Array([1, 2, 3]), "the file is not a zip"],
  ["another zip", zipped({ "readme.md": strToU8("hello") }), "the zip holds no notebook.md"],
  [
    "a bomb",
    zipped({ "notebook.md": new Uint8Array(5_000_000) }),
    "notebook.md in the zip is too large: 5000000 bytes",
  ],
  [
    "too many runs",
    zipped(
      Object.fromEntries(
        Array.from({ length: 201 }, (_, i) => [`runs/r${i}.turnbook.zip`, new Uint8Array(1)]),
      ),
    ),
    "200 runs",
  ],
  [
    "too many runs of sweeps",
    zipped(
      Object.fromEntries(
        Array.from({ length: 501 }, (_, i) => [
          `sweeps/${String(i).padStart(32, "0")}.turnbook.zip`,
          new Uint8Array(1),
        ]),
      ),
    ),
    "and 500 runs of sweeps",
  ],
])("refuses %s", async (_what, bytes, sentence) => {
  await expect(unpackNotebook(bytes)).rejects.toThrow(sentence);
});

it("leaves out what is not part of a notebook, whatever its path", async () => {
  const zip = zipped({
    "notebook.md": strToU8("# A"),
    "../runs/a.turnbook.zip": new Uint8Array(1),
    "runs/../../b.turnbook.zip": new Uint8Array(1),
    "runs/a.exe": new Uint8Array(1),
    "sweeps/a.turnbook.zip": new Uint8Array(1),
  });
  const none = { runs: new Map(), sweeps: new Map(), answers: null };
  expect(await unpackNotebook(zip)).toEqual({ text: "# A", ...none });
});
