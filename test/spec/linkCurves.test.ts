import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { senderFromText, senderToText } from "../../src/spec/linkExtras.ts";
import {
  curvesFromText,
  curvesToText,
  MOST_OF_CURVES,
  roundingOf,
  type LinkCurve,
} from "../../src/spec/linkCurves.ts";
import { presetSpec } from "../../src/spec/presets.ts";

const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: null });

const anyCurves = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(1, 2, 4, 10),
    fc.integer({ max: 300, min: 1 }),
  )
  .chain(([methods, step, count]) =>
    fc.record({
      methods: fc.constant(methods),
      curves: fc.tuple(
        ...(["reward", "heldout"] as const).map((metric) =>
          fc
            .array(fc.array(value, { minLength: count, maxLength: count }), {
              minLength: methods,
              maxLength: methods,
            })
            .map((y): LinkCurve => ({
              metric,
              x: Array.from({ length: count }, (_, i) => i * step),
              y,
            })),
        ),
      ),
    }),
  );

const hasNumbers = ({ y }: LinkCurve) => y.flat().some((one) => one !== null);

describe("curves in a link", () => {
  it("come back within their rounding, thinned out to at most 64 points that keep the last", () => {
    fc.assert(
      fc.property(anyCurves, ({ methods, curves }) => {
        const sent = curves.filter(hasNumbers);
        const text = curvesToText(curves);
        if (sent.length === 0) return text === "";
        const read = curvesFromText(text, methods);
        expect(read.map(({ metric }) => metric)).toEqual(sent.map(({ metric }) => metric));
        read.forEach((curve, c) => {
          expect(curve.x.length).toBeLessThanOrEqual(64);
          expect(curve.x.at(-1)).toBe(sent[c]!.x.at(-1));
          curve.y.forEach((row, method) =>
            row.forEach((got, i) => {
              const given = sent[c]!.y[method]![sent[c]!.x.indexOf(curve.x[i]!)]!;
              if (given === null) return expect(got).toBeNull();
              expect(Math.abs(got! - given)).toBeLessThanOrEqual(roundingOf(curve));
            }),
          );
        });
        return true;
      }),
      { numRuns: 60 },
    );
  });

  it("hold iterations at uneven distances", () => {
    const x = [0, 10, 20, 25];
    const text = curvesToText([{ metric: "heldout", x, y: [[0, 0.5, null, 1]] }]);
    expect(text).toBe("heldout,0,1,0.10.3-25.1.1,AAf____-");
    expect(curvesFromText(text, 1)[0]).toMatchObject({ x });
  });

  it("are never longer than what is read, with however many methods", () => {
    for (let methods = 1; methods <= 60; methods++) {
      const x = Array.from({ length: 500 }, (_, i) => i + 1);
      const y = Array.from({ length: methods }, (_, m) => x.map((at) => Math.sin(at + m) / 3));
      const text = curvesToText([
        { metric: "reward", x, y },
        { metric: "heldout", x, y },
      ]);
      expect(text.length).toBeLessThanOrEqual(MOST_OF_CURVES);
      if (methods <= 20) expect(curvesFromText(text, methods)).toHaveLength(2);
    }
  });

  it.each([
    ["", 1, "curves has 1 parts; with 1 methods it must be 5"],
    ["reward,0,1,1.1.2", 1, "curves has 4 parts"],
    ["loss,0,1,1.1.1,AA", 1, 'curves has the metric "loss"; allowed: reward, success, heldout'],
    ["reward,1,0,1.1.1,AA", 1, "curves of reward go from 1 to 0"],
    ["reward,0,1e400,1.1.1,AA", 1, "must be a number"],
    ["reward,0,x,1.1.1,AA", 1, "must be a number"],
    ["reward,0,1,1.1.99,AA", 1, "more than 64 iterations"],
    ["reward,0,1,1.0.2,AAAA", 1, "must be first.step.count"],
    ["reward,0,1,5.1.1-5.1.1,AAAA", 1, "must be first.step.count"],
    ["reward,0,1,1.1.2,AA", 1, "2 digits for 2 iterations"],
    ["reward,0,1,1.1.1,A.", 1, "not base64url"],
    ["reward,0,1,1.1.1,AA,reward,0,1,1.1.1,AA", 1, "names reward twice"],
  ])("that are damaged are refused: %s", (text, methods, says) => {
    expect(() => curvesFromText(text, methods)).toThrow(InputError);
    expect(() => curvesFromText(text, methods)).toThrow(says);
  });

  it("that are no text of this experiment's are left out of a link, and the rest still counts", () => {
    const link = `#v1/nano?seed=3&fp=${"a".repeat(64)}&curves=reward,0,1,1.1.1,AA`;
    const { spec, curves, fingerprint, warnings } = decodeLink(link);
    expect(spec.seed).toBe(3);
    expect(fingerprint).toBe("a".repeat(64));
    expect(curves).toBeNull();
    expect(warnings).toEqual([
      "The sender’s curves are not shown: curves has 5 parts; with 3 methods it must be 7 of each of 1 or 2 metrics.",
    ]);
  });

  it("stay apart from a chart's settings", () => {
    const curves = curvesToText([{ metric: "reward", x: [1], y: [[1], [2], [3]] }]);
    const settings = { "curves:axis": "tokens" };
    const link = encodeLink(presetSpec("nano"), { view: "lens", curves, settings });
    expect(decodeLink(link)).toMatchObject({ curves, settings, warnings: [] });
  });
});

it("what computed a run is named in letters, digits and dashes", () => {
  const sender = { version: "0.1.0", backend: "webgpu", device: "NVIDIA H100 (PCIe) & more" };
  expect(senderToText(sender)).toBe("0.1.0,webgpu,nvidia-h100-pcie-more");
  expect(senderFromText("0.1.0,wasm")).toEqual({ version: "0.1.0", backend: "wasm", device: "" });
  expect(senderFromText("<b>,x")).toBeNull();
  expect(senderFromText(undefined)).toBeNull();
});
