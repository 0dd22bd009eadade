import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  codeOfRun,
  codesIn,
  MOST_OF_CODE,
  readCode,
  sealed,
  setupOf,
  shortFingerprint,
} from "../../../src/reading/classroom/resultCode.ts";
import { linkCurveOf } from "../../../src/reading/fingerprintCurves.ts";
import { curvesToText, roundingOf } from "../../../src/spec/linkCurves.ts";
import { curveLog, curveSpec } from "../../fixtures/curveRun.ts";
import { RunLog } from "../../../src/reading/log/runLog.ts";

const log = curveLog({ seed: 7, iterations: 100 });
const methods = log.algorithms.length;

describe("a result code", () => {
  it("says experiment, seed, prediction, fingerprint and curves in at most 200 characters", () => {
    const code = codeOfRun(log, "heldout", 2);
    expect(code.length).toBeLessThanOrEqual(MOST_OF_CODE);
    const read = readCode(code, methods);
    expect(read).toMatchObject({
      setup: setupOf(curveSpec({ iterations: 100 })),
      seed: 7,
      prediction: 2,
    });
    expect(read.fingerprint).toBe(shortFingerprint(log.end!.chain));
    const own = linkCurveOf(log, "heldout");
    expect(read.curve.x.at(-1)).toBe(100);
    expect(read.curve.x.length).toBeGreaterThan(3);
    read.curve.x.forEach((at, i) =>
      read.curve.y.forEach((row, m) =>
        expect(Math.abs(row[i]! - own.y[m]![own.x.indexOf(at)]!)).toBeLessThanOrEqual(
          roundingOf(read.curve),
        ),
      ),
    );
  });

  it("stays that short for a long run, a large seed and many points", () => {
    for (const iterations of [3, 20, 400]) {
      const run = curveLog({ seed: 2 ** 32 - 1, iterations });
      for (const metric of ["reward", "success", "heldout"] as const) {
        const code = codeOfRun(run, metric, null);
        expect(code.length).toBeLessThanOrEqual(MOST_OF_CODE);
        expect(readCode(code, methods)).toMatchObject({ seed: 2 ** 32 - 1, prediction: null });
      }
    }
  });

  it("is of the same experiment whatever the seed, and of another whatever else is changed", () => {
    const spec = curveSpec({ seed: 1 });
    expect(setupOf({ ...spec, seed: 99 })).toBe(setupOf(spec));
    expect(setupOf(curveSpec({ iterations: 21 }))).not.toBe(setupOf(spec));
  });

  it("is not made of a run that has not ended", () => {
    expect(() => codeOfRun(new RunLog(), "heldout", null)).toThrow("the run has not ended");
  });

  it("notices any wrong character", () => {
    const code = codeOfRun(log, "heldout", 2);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: code.length - 1 }),
        fc.constantFrom(..."ABab019-_.,~"),
        (at, letter) => {
          fc.pre(code[at] !== letter);
          const damaged = code.slice(0, at) + letter + code.slice(at + 1);
          expect(() => readCode(damaged, methods)).toThrow();
        },
      ),
    );
  });

  it.each([
    ["TB2~x", "the code is of version TB2; this page reads TB1"],
    ["TBX~x", "it must begin with TB1~"],
    ["TB1~aaaaaaaa~2s", "the code has 3 parts of 7: copy it whole"],
    ["", "it must begin with TB1~"],
    ["x".repeat(500), "longer than a code can be"],
    [sealed("TB1~aaaaaaaa~zzzzzzz~1~abc~x"), "the seed"],
    [sealed("TB1~aaaaaaaa~1~11~abc~x"), "the prediction"],
    [sealed("TB1~aaaaaaaa~1~1~abc~x"), "curves"],
  ])("refuses %s with a reason", (text, why) => {
    expect(() => readCode(text, 3)).toThrow(why);
  });

  it("is found in chats, tables and links", () => {
    const code = codeOfRun(log, "heldout", 2);
    const text = `Mine: ${code}\n7;"${code}"\n<https://example.org/#code=${code}>`;
    expect(codesIn(text)).toEqual([code, code, code]);
    expect(
      codesIn(`https://example.org/%23class/${encodeURIComponent(code).replaceAll("~", "%7E")}`),
    ).toEqual([code]);
    expect(codesIn("TB1~ is where a code begins")).toEqual([]);
    // What was cut, made longer or comes of another version is found, so that the page can say why it is refused.
    for (const broken of [code.slice(0, 30), code.replace("TB1", "TB2"), code + "A".repeat(1e7)]) {
      const [found = ""] = codesIn(broken);
      expect(() => readCode(found, methods)).toThrow(/\d parts of 7|version TB2|longer than/);
    }
    expect(curvesToText([], 10)).toBe("");
  });
});
