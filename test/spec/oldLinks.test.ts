/** Links of version 1 as they were written open what they opened then. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bookAddressOf, experimentInAddress } from "../../src/app/book/bookAddress.ts";
import { remoteUrl } from "../../src/app/book/fetchNotebook.ts";
import { notebookFromWord } from "../../src/notebook/sharedText.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { changedSpec } from "../../src/spec/specChanges.ts";
import { decodeLink, decodePlace } from "../../src/spec/link.ts";
import { curvesFromText } from "../../src/spec/linkCurves.ts";
import { learnerNames } from "../../src/spec/preference.ts";
import { presetSpec } from "../../src/spec/presets.ts";

interface Fixtures {
  experiments: {
    what: string;
    link: string;
    preset: string;
    changes: Record<string, string>;
    /** What the link says besides the experiment. */
    says: Record<string, string>;
  }[];
  notebooks: {
    what: string;
    link: string;
    opens: object;
    experiment: string | null;
    text?: string;
    fetches?: string;
  }[];
}

const file = join(import.meta.dirname, "..", "fixtures", "links", "version1.json");
const { experiments, notebooks } = JSON.parse(readFileSync(file, "utf8")) as Fixtures;

describe("an old link of an experiment", () => {
  it.each(experiments)("with $what", ({ link, preset, changes, says }) => {
    const { spec, warnings, ...extras } = decodeLink(link);
    expect(warnings).toEqual([]);
    const wanted = changedSpec(presetSpec(preset), Object.entries(changes));
    expect(canonicalJson(spec)).toBe(canonicalJson(wanted));
    expect(extras).toMatchObject(says);
    if (says["curves"] !== undefined)
      expect(curvesFromText(says["curves"], learnerNames(spec).length).length).toBeGreaterThan(0);
  });
});

describe("an old link of a notebook", () => {
  it.each(notebooks)("to $what", ({ link, opens, experiment, text, fetches }) => {
    const address = bookAddressOf(link);
    expect(address).toEqual(opens);
    expect(experimentInAddress(link)).toBe(experiment);
    expect(decodePlace(link).warnings).toEqual([]);
    if (address.kind === "text") expect(notebookFromWord(address.word)).toBe(text);
    if (address.kind === "remote") expect(remoteUrl(address).href).toBe(fetches);
  });
});
