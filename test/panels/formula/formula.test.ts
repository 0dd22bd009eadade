import katex from "katex";
import { rowFormulas } from "../../../src/spec/algorithmDocs/docs.ts";
import { describe, expect, it } from "vitest";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import { branchesOf } from "../../../src/panels/formula/branch.ts";
import {
  isRounded,
  rightNumbers,
  relation,
  symbolLine,
  texNumber,
} from "../../../src/panels/formula/fill.ts";
import {
  f,
  formulaTex,
  minOf,
  open,
  sidesOf,
  squareOf,
  written,
} from "../../../src/method/formula/tex.ts";
import { symbols } from "../../../src/method/formula/symbols.ts";
import { ratios } from "../../../src/method/objective/ratio.ts";
import { findNumber, numberAt } from "../../../src/panels/formula/numbers.ts";
import { BatchNumbers, placeAt, type BatchPlace } from "../../../src/panels/formula/place.ts";
import { filledFormulas, hasMin, isFilteredOut } from "../../../src/panels/formula/steps.ts";
import { STEPS } from "../../../src/panels/formula/stepIds.ts";
import { advantageLevel } from "../../../src/spec/algorithmDocs/advantageFormulas.ts";
import { unitOf } from "../../../src/spec/algorithmDocs/objectiveFormulas.ts";
import type { Binding } from "../../../src/method/formula/vocabulary.ts";
import { algorithmNames, resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { some } from "../../every.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const episodes = tokenEpisodes(8, 4).map((episode, b) => ({
  ...episode,
  turns: episode.turns.map((turn, h) => ({
    ...turn,
    gain: Math.sin(5 * b + h),
    formatPenalty: -0.1 * Math.abs(Math.cos(3 * b + h)),
    tokens: turn.tokens.map((token, t) => ({
      ...token,
      rolloutLogprob: token.oldLogprob + 0.3 * Math.sin(b + h + t),
      sumPiSquared: 0.4 + 0.3 * Math.sin(3 * b + h + t),
    })),
  })),
}));

function placesOf(name: string, set: Record<string, unknown> = {}): BatchPlace[] {
  const config = resolveAlgorithm(name, set);
  const row = creditOf(config, episodes).ok!;
  const all = new BatchNumbers(config, row);
  return [0, 3, 5].flatMap((b) =>
    [0, 1, 3].flatMap((h) => [placeAt(all, b, h, null), placeAt(all, b, h, 0)]),
  );
}

/** Rows that recorded episodes have everything for. */
const computable = algorithmNames.filter((name) => creditOf(resolveAlgorithm(name), episodes).ok);

/** Every marked term in brackets, without its mark. */
function unmarked(tex: string): string {
  const at = tex.search(/\\htmlData\{term=[\w.]+\}\{/);
  if (at < 0) return tex;
  const [symbol, end] = braced(tex, tex.indexOf("}{", at) + 1);
  return `${tex.slice(0, at)}(${symbol})${unmarked(tex.slice(end))}`;
}

/** Evaluates a right side with numbers: sums of products with fractions, min, clip and exp. */
function evaluate(tex: string): number {
  const text = unmarked(tex)
    .replace(/^(:?=|\\leftarrow|\\approx)/, "")
    .replace(/\\quad.*$/, "")
    .replaceAll("\\Big", "")
    .replaceAll("\\big", "")
    .replaceAll(/\\mathrm\{(clip|sg)\}/g, "$1")
    .replaceAll("sg[", "(")
    .replaceAll("]", ")")
    .replaceAll("\\cdot ", "*")
    .replaceAll("\\cdot", "*")
    .replaceAll(/\\[,;]/g, " ")
    .replaceAll("\\min", "Math.min")
    .replaceAll("\\max", "Math.max")
    .replaceAll(/\\exp ?/g, "Math.exp");
  const plain = roots(fractions(text))
    .replaceAll(/10\^\{(-?\d+)\}/g, "(10**$1)")
    .replaceAll("^2", "**2");
  const clip = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));
  return new Function("clip", `return ${plain}`)(clip) as number;
}

/** Without the box around the side that wins. */
const plainMin = (tex: string) =>
  tex.replaceAll(/\\boxed\{([^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*)\}/g, "$1");

function fractions(tex: string): string {
  const at = tex.indexOf("\\frac{");
  if (at < 0) return tex;
  const [top, after] = braced(tex, at + 5);
  const [bottom, end] = braced(tex, after);
  return fractions(`${tex.slice(0, at)}((${top})/(${bottom}))${tex.slice(end)}`);
}

function roots(tex: string): string {
  const at = tex.indexOf("\\sqrt{");
  if (at < 0) return tex;
  const [inside, end] = braced(tex, at + 5);
  return roots(`${tex.slice(0, at)}Math.sqrt(${inside})${tex.slice(end)}`);
}

function braced(tex: string, from: number): [string, number] {
  let depth = 0;
  for (let i = from; i < tex.length; i++) {
    if (tex[i] === "{") depth++;
    if (tex[i] === "}" && --depth === 0) return [tex.slice(from + 1, i), i + 1];
  }
  throw new Error(`no closing brace in ${tex}`);
}

describe("numbers of terms", () => {
  it("cover the rows that can be computed", () => {
    expect(computable).toEqual(
      expect.arrayContaining([
        ...["grpo", "rloo", "token-ppo", "turn-ppo", "gigpo", "mt-grpo", "gmpo", "a2tgpo"],
      ]),
    );
  });

  it.each(["turn-ppo", "token-ppo", "turn-ppo-vagen", "turn-ppo-st", "bi-level-gae"])(
    "of %s: a TD error is reward plus discounted next value minus value",
    (name) => {
      const all = placesOf(name, { gamma: 0.9, gammaTurn: 0.8, lambda: 0.7 });
      // A place in each episode, each at another turn.
      for (const place of some(all, (one) => all.indexOf(one) % 8 < 2)) {
        const at = (binding: Binding) => numberAt(binding, place)!;
        const { config } = place.all;
        if (name !== "token-ppo" && name !== "turn-ppo-st") {
          const gamma = name === "bi-level-gae" ? config.gammaTurn : config.gamma;
          expect(at("turn.delta")).toBeCloseTo(
            at("turn.reward") + gamma * at("turn.nextValue") - at("turn.value"),
            12,
          );
        }
        if (name === "token-ppo" || name === "turn-ppo-st")
          expect(at("token.rawAdvantage")).toBeCloseTo(
            at("token.delta") + config.gamma * config.lambda * at("token.nextRawAdvantage"),
            12,
          );
      }
    },
  );

  it("end with the episode, and at the end of a turn where a row looks no further", () => {
    const [, , , , last] = placesOf("turn-ppo");
    expect(findNumber("turn.nextValue", last!)).toMatchObject({ value: 0, cells: [] });
    const biLevel = placesOf("bi-level-gae")[0]!;
    expect(numberAt("token.nextRawAdvantage", biLevel)).toBe(0);
  });

  it("say where they came from", () => {
    const place = placesOf("turn-ppo")[0]!;
    expect(findNumber("turn.nextValue", place).cells).toEqual(["turn.value@0.1"]);
    expect(findNumber("settings.gamma", place)).toMatchObject({
      value: 0.99,
      from: "the setting gamma",
    });
    expect(findNumber("token.newValue", place).value).toBe(null);
    const grpo = placesOf("grpo")[0]!;
    expect(findNumber("group.mean", grpo).cells).toEqual([
      "trajectory.score@0",
      "trajectory.score@1",
    ]);
    expect(numberAt("group.mean", grpo)).toBeCloseTo((10.6 - 0.4) / 2, 12);
  });
});

describe("formulas with numbers", () => {
  it.each(computable)("of %s come out as what they define", (name) => {
    let checked = 0;
    for (const place of placesOf(name, { dualClip: null })) {
      const value = (binding: Binding) => numberAt(binding, place);
      for (const { tex } of filledFormulas(place)) {
        expect(() => katex.renderToString(tex, { trust: true, strict: false })).not.toThrow();
        for (const line of linesOf(place)) {
          const { defines, relation: sign } = line;
          if (isFilteredOut(place) && defines?.endsWith(".advantage")) continue;
          const result = defines && value(defines);
          const settings = symbols(place.all.config, "values");
          const numbers = rightNumbers(line, settings, { value });
          if (result === null || numbers === null || (sign !== ":=" && sign !== "=")) continue;
          const term = (id: Binding) =>
            id.startsWith("settings.") ? settings.term(id) : String(value(id));
          const exact = evaluate(written(line.right, { ...settings, term }));
          expect(Math.abs(exact - result), `${defines} = ${numbers.tex}`).toBeLessThan(
            1e-6 * Math.max(1, Math.abs(result)),
          );
          checked++;
        }
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  it("have all nine steps", () => {
    const steps = new Set(filledFormulas(placesOf("turn-ppo")[0]!).map(({ step }) => step));
    expect([...STEPS].filter((step) => !steps.has(step))).toEqual([]);
  });

  it.each(["grpo", "token-ppo", "turn-ppo", "gspo"])(
    "of %s say nearly wherever what is written does not add up",
    (name) => {
      const kinds = new Set<string>();
      for (const place of placesOf(name))
        for (const { tex } of filledFormulas(place)) {
          const lines = tex
            .replace(/^\\begin\{aligned\}|\\end\{aligned\}$/g, "")
            .split("\\\\[0.5em]");
          lines.slice(1).forEach((line, i) => {
            const before = /^&(=|\\approx)(.*)$/s.exec(lines[i]!);
            const after = /^&(=|\\approx)(.*)$/s.exec(line);
            if (!before || !after || /\\text|cdots|sum|\^2/.test(before[2]!)) return;
            kinds.add(after[1]!);
            if (after[1] === "=")
              expect(evaluate(after[2]!), line).toBeCloseTo(evaluate(plainMin(before[2]!)), 9);
          });
        }
      expect([...kinds]).toContain("\\approx");
    },
  );

  it("box the side that wins", () => {
    const seen = new Set<string>();
    for (const place of placesOf("turn-ppo", { epsLow: 0.05, epsHigh: 0.05, dualClip: 1.01 })) {
      const { winner, value, free, held } = branchesOf(place);
      seen.add(winner);
      expect(hasMin(place)).toBe(true);
      if (winner !== "floor") expect(value).toBe(Math.min(free, held));
      const clip = filledFormulas(place).find(({ step }) => step === "clip")!;
      expect(clip.tex.includes("\\boxed{"), winner).toBe(free !== held);
    }
    expect([...seen]).toEqual(expect.arrayContaining(["held", "free"]));
  });

  it("box nothing where both sides are equal", () => {
    const places = placesOf("turn-ppo", { epsLow: 0.999, epsHigh: 99 });
    const clips = places.map((place) => filledFormulas(place).find(({ step }) => step === "clip")!);
    expect(places.map((place) => branchesOf(place).winner)).toContain("equal");
    expect(clips.filter(({ tex }) => tex.includes("\\boxed{"))).toEqual([]);
  });

  it("put each token's log-ratio into a turn's ratio", () => {
    for (const name of ["turn-ppo", "turn-ppo-st"].filter((one) => computable.includes(one)))
      for (const place of placesOf(name)) {
        const { tex } = filledFormulas(place).find(({ id }) => id === "ratio.ratio")!;
        const { tokenStart } = place.all.batch;
        for (let n = tokenStart[place.k]!; n < tokenStart[place.k + 1]!; n++)
          expect(tex).toContain(texNumber(place.all.logRatio[n]!));
      }
  });

  it("agree with the loss's own gradient on what is cut", () => {
    for (const name of ["turn-ppo", "token-ppo", "grpo", "gspo"])
      for (const place of placesOf(name)) {
        const cut = place.all.objective.tokenClipped[place.n] === 1;
        expect(["held", "floor"].includes(branchesOf(place).winner)).toBe(cut);
        expect(advantageLevel(place.all.config)).toBeTruthy();
        expect(unitOf(place.all.config)).toBeTruthy();
      }
  });
});

/** The lines of all formulas of a row. */
const linesOf = (place: BatchPlace) =>
  rowFormulas(place.all.config).flatMap(({ lines }) => lines.map(sidesOf));

describe("a formula as data", () => {
  const settings = symbols({}, "values");
  const none = () => null;

  it("has a turn's sum written out, the middle of a long one left out", () => {
    const d = "token.logRatio";
    const product = sidesOf(ratios["turn-product"].formula(d));
    const sum = (text: string) => `\\htmlData{term=token.logRatio}{${text}}`;
    const filled = (all: number[]) =>
      rightNumbers(product, settings, { value: none, addends: () => all })!.tex;
    expect(filled([0.5, -0.25])).toBe(` \\exp\\Big(${sum("0.500 + (-0.250)")}\\Big)`);
    expect(filled(Array<number>(20).fill(1))).toBe(
      ` \\exp\\Big(${sum("1 + 1 + 1 + 1 + 1 + 1 + \\cdots + 1")}\\Big)`,
    );
    const mean = sidesOf(ratios["turn-geomean"].formula(d));
    expect(rightNumbers(mean, settings, { value: () => 2, addends: () => [0.5, 1] })!.tex).toBe(
      ` \\exp\\Big(\\frac{1}{\\htmlData{term=turn.tokens}{2}}\\big(${sum("0.500 + 1")}\\big)\\Big)`,
    );
    expect(rightNumbers(product, settings, { value: none })).toBe(null);
  });

  it("has sides, a relation, and the term that it defines", () => {
    const line = sidesOf(f`${"turn.delta"} &= ${"turn.value"} + 1`);
    expect(line).toMatchObject({ defines: "turn.delta", isSquare: false, relation: "=" });
    expect(written(line.right, { ...settings, term: (id) => `<${id}>` })).toBe(
      " \\htmlData{term=turn.value}{<turn.value>} + 1",
    );
    expect(sidesOf(open`&s_h \text{: alike}`)).toMatchObject({ defines: null, relation: null });
    expect(sidesOf(f`${squareOf("group.std")} &= 1`)).toMatchObject({ isSquare: true });
  });

  it("has a min in two lines, with a box around the side that decides", () => {
    const line = sidesOf(f`${"token.surrogate"} &= ${minOf(f`a`, f`\operatorname{clip}(a)`)}`);
    const [first, second] = symbolLine(line, settings, "held");
    expect(first).toMatch(/ &= \\min\\big\(a,$/);
    expect(second).toBe("&\\quad \\boxed{\\operatorname{clip}(a)}\\big)");
    expect(formulaTex([f`J &= ${minOf(f`a`, f`b`)}`], settings)).toBe(
      "J = \\min\\big(a,\\; b\\big)",
    );
  });

  it.each(algorithmNames)(
    "of %s is open where it sums over others, has cases or words, and only there",
    (name) => {
      const clipsAndRatios = [
        {},
        { clip: "adaptive" },
        { clip: "log-geomean" },
        { ratio: "turn-product" },
      ];
      for (const set of [...clipsAndRatios, { klTarget: 1, betaKlReward: 1 }, { whiten: "turns" }])
        for (const { lines } of rowFormulas(resolveAlgorithm(name, set)))
          for (const line of lines.map(sidesOf)) {
            const tex = [...line.left, ...line.right]
              .filter((part) => typeof part === "string")
              .join("");
            const isOpen = /\\sum|\\begin\{cases\}|\\text/.test(tex);
            expect(line.isOpen, tex).toBe(isOpen);
          }
    },
  );
});

describe("tex", () => {
  it("gives a squared term as its square, and then itself", () => {
    const place = placesOf("grpo")[0]!;
    const { tex } = filledFormulas(place).find(({ step }) => step === "value")!;
    const std = numberAt("group.std", place)!;
    expect(std * std).not.toBeCloseTo(std, 1);
    const [square, root] = tex.split("\\\\[0.5em]").slice(-2);
    expect(square).toContain(`&${relation(isRounded(std * std))} ${texNumber(std * std)}`);
    expect(square).not.toContain("term=");
    expect(root).toMatch(/^\\htmlData\{term=group\.std\}\{[^^]*&(=|\\approx) /);
    expect(root).toContain(texNumber(std));
  });

  it("writes numbers briefly", () => {
    expect(texNumber(-0.25, true)).toBe("(-0.250)");
    expect(texNumber(3)).toBe("3");
    expect(texNumber(0.00125)).toBe("0.00125");
    expect(texNumber(0.00012)).toBe("1.20\\cdot 10^{-4}");
    expect(texNumber(NaN)).toContain("not a number");
    expect([3, -0.25, 0.1 + 0.2, 0.00125, 1.2e-4].map(isRounded)).not.toContain(true);
    expect([1 / 3, -0.8634, 1.234e-4, 1234567.5].map(isRounded)).not.toContain(false);
  });
});
