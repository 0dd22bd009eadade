/** The algorithms' pages: texts, and formulas that follow the settings and whose terms can be found and filled. */
import { describe, expect, it } from "vitest";
import { renderTex } from "../../src/ui/maths/katex.ts";
import { outsideDoc, outsideNames, rowDoc } from "../../src/spec/algorithmDocs/docs.ts";
import { families, algorithmFamily } from "../../src/spec/algorithmDocs/families.ts";
import { usedSettings } from "../../src/spec/algorithmDocs/settingUse.ts";
import { numberTex, type SettingStyle } from "../../src/method/formula/symbols.ts";
import { outsideTexts } from "../../src/spec/algorithmDocs/texts/outside.ts";
import { rowTexts } from "../../src/spec/algorithmDocs/docs.ts";
import { bindingNames, levels, termOf } from "../../src/method/formula/vocabulary.ts";
import { algorithmDoc, type AlgorithmDoc } from "../../src/spec/algorithmDocs/docs.ts";
import {
  algorithmNames,
  resolveAlgorithm,
  type AlgorithmConfig,
} from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import { sentencesOf, wordsIn } from "../fixtures/sentences.ts";

const termsIn = (html: string) =>
  new Set([...html.matchAll(/data-term="([^"]+)"/g)].map((m) => m[1]));

/** Most variants share most formulas, and KaTeX takes its time. */
const rendered = new Map<string, string>();
function render(tex: string): string {
  const html = rendered.get(tex) ?? renderTex(tex);
  rendered.set(tex, html);
  return html;
}

/** Formulas already found in order: most variants share most of them. */
const checked = new Set<string>();

function checkFormulas(doc: AlgorithmDoc) {
  const listed = new Set<string>(doc.terms.map(({ id }) => id));
  expect(listed.size).toBe(doc.terms.length);
  for (const { id, tex, terms } of doc.formulas) {
    for (const term of terms) if (!listed.has(term)) expect([...listed], id).toContain(term);
    const key = `${tex} ${terms.join(" ")}`;
    if (checked.has(key)) continue;
    // A backslash that the source swallowed leaves a tab, or half a command.
    expect(tex, `${doc.name} ${id}`).not.toMatch(/[\t\n\f\r\v]|(?<!\\t)ext\{|undefined|null|NaN/);
    const html = render(tex);
    expect(html, `${doc.name} ${id}`).not.toContain("katex-error");
    expect(termsIn(html), `${doc.name} ${id}`).toEqual(new Set(terms));
    checked.add(key);
  }
}

/** Values of a setting other than the row's own. */
function otherValues(name: string, own: unknown): unknown[] {
  if (name in wordAxes)
    return Object.keys(wordAxes[name as "ratio"].values).filter((value) => value !== own);
  return [0.5, 2, 0.125].filter((value) => {
    const { min, max } = numberAxes[name as "gamma"];
    return value >= min && value <= max && value !== own;
  });
}

/** With one ratio per rollout, a rollout's mean over tokens and its mean over turns are the same. */
function sameLoss({ ratio, aggregation }: AlgorithmConfig, set: Record<string, unknown>): boolean {
  const twins: unknown[] = ["seq-mean-token-mean", "traj-turn-mean"];
  return (
    ratio === "sequence-geomean" &&
    twins.includes(aggregation) &&
    twins.includes(set["aggregation"])
  );
}

const settings = [...Object.keys(wordAxes), ...Object.keys(numberAxes)];

describe.each(algorithmNames)("the page of %s", (name) => {
  const config = resolveAlgorithm(name);

  it("has formulas that KaTeX takes, with every term marked, listed and bound", () => {
    for (const style of ["values", "symbols"] as SettingStyle[]) {
      const doc = rowDoc(config, style);
      checkFormulas(doc);
      const ids = doc.formulas.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(["advantage", "surrogate", "loss"]));
      expect(ids.includes("ratio")).toBe(config.ratio !== "none");
      expect(ids.includes("critic")).toBe(config.critic !== "none");
      for (const { binds } of doc.terms) expect(bindingNames).toContain(binds);
    }
  });

  it("has them under every single other setting too, and shows exactly the settings in use", () => {
    const texOf = ({ formulas }: AlgorithmDoc) => JSON.stringify(formulas.map(({ tex }) => tex));
    const used: string[] = usedSettings(config);
    const plain = texOf(rowDoc(config));
    for (const setting of settings) {
      const own = config[setting as "gamma"];
      for (const value of otherValues(setting, own)) {
        const set = { [setting]: value };
        const doc = rowDoc(resolveAlgorithm(name, set));
        checkFormulas(doc);
        const note = `${setting}=${String(value)}`;
        const changes = used.includes(setting) && !sameLoss(config, set);
        expect(texOf(doc) !== plain, note).toBe(changes);
      }
    }
  });

  it("has a text of 120 to 250 words of its own", () => {
    const { does, answers, watch, sources } = rowTexts[name]!;
    const count = [does, answers, watch, sources].join(" ").split(/\s+/).length;
    expect(count).toBeGreaterThanOrEqual(120);
    expect(count).toBeLessThanOrEqual(250);
  });
});

describe.each(outsideNames)("the page of %s, outside of the table", (name) => {
  it("has formulas and a text", () => {
    for (const style of ["values", "symbols"] as SettingStyle[])
      checkFormulas(outsideDoc(name, style));
    const count = Object.values(outsideTexts[name]!).join(" ").split(/\s+/).length;
    expect(count).toBeGreaterThanOrEqual(120);
    expect(count).toBeLessThanOrEqual(250);
  });
});

it.each([...algorithmNames, ...outsideNames])("%s has a caption under twelve words", (name) => {
  for (const sentence of sentencesOf(algorithmDoc(name).about))
    expect(wordsIn(sentence), sentence).toBeLessThan(12);
});

describe("texts", () => {
  it("are there for rows and outsiders, and for nothing else", () => {
    expect(Object.keys(rowTexts).sort()).toEqual([...algorithmNames].sort());
    expect(Object.keys(outsideTexts).sort()).toEqual([...outsideNames].sort());
    const all = [...Object.values(rowTexts), ...Object.values(outsideTexts)];
    const paragraphs = all.flatMap(({ does, answers, watch, sources }) => [
      ...[does, answers, watch, sources],
    ]);
    expect(new Set(paragraphs).size).toBe(paragraphs.length);
  });
});

describe("formulas", () => {
  const tex = (name: string, id: string, set = {}) =>
    rowDoc(resolveAlgorithm(name, set)).formulas.find((one) => one.id === id)?.tex;

  it("show a changed setting as its value", () => {
    expect(tex("grpo", "surrogate", { epsLow: 0.1 })).toContain("{term=settings.epsLow}{0.1}");
    const symbols = rowDoc(resolveAlgorithm("grpo", { epsLow: 0.1 }), "symbols");
    const clip = symbols.formulas.find(({ id }) => id === "surrogate")!;
    expect(clip.tex).toContain("{term=settings.epsLow}{\\varepsilon_{\\text{low}}}");
  });

  it("change the sum in front with the aggregation", () => {
    const plain = (set: object) =>
      tex("turn-ppo", "loss", set)!.replace(
        /\\htmlData\{term=[^}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}/g,
        "$1",
      );
    expect(plain({})).toBe("L = -\\frac{1}{B}\\sum_b \\frac{1}{N_b}\\sum_{h\\in b} J_h");
    expect(plain({ aggregation: "token-mean" })).toBe("L = -\\frac{1}{N}\\sum_h n_h\\,J_h");
    expect(plain({ aggregation: "turn-mean" })).toBe("L = -\\frac{1}{K}\\sum_h J_h");
    expect(plain({ aggregation: "turn-mean", ratio: "token" })).toBe(
      "L = -\\frac{1}{K}\\sum_h\\frac{1}{n_h}\\sum_{t\\in h} J_t",
    );
    expect(plain({ aggregation: "traj-turn-mean", ratio: "sequence-geomean" })).toBe(
      "L = -\\frac{1}{B}\\sum_b J_b",
    );
  });

  it("appear with what they tell and go with it", () => {
    expect(tex("grpo", "normalised")).toBeUndefined();
    expect(tex("grpo", "normalised", { whiten: "tokens" })).toContain("tokens");
    expect(tex("grpo", "reward")).toBeUndefined();
    expect(tex("starpo", "reward")).toContain("{term=settings.betaKlReward}{0.001}");
    expect(tex("turn-ppo", "critic", { valueClip: 0.5 })).toContain("\\pm");
    expect(tex("s-ppo", "correction", { clipBias: "norm" })).not.toContain("clipBiasKappa");
  });

  it("give nothing but terms to the page, and no way out of the formula", () => {
    expect(() => renderTex("\\htmlId{a}{x}")).not.toThrow();
    expect(renderTex("\\htmlId{stolen}{x}")).not.toContain('id="stolen"');
    expect(renderTex("\\htmlData{other=1}{x}")).not.toContain("data-other");
    expect(renderTex("\\href{javascript:alert(1)}{x}")).not.toContain("href=");
    expect(() => renderTex("\\frac{1}{")).toThrow(/KaTeX parse error/);
  });

  it.each([
    [0.2, "0.2"],
    [0, "0"],
    [1, "1"],
    [3e-4, "3\\cdot 10^{-4}"],
    [0.001, "0.001"],
    [1e-9, "10^{-9}"],
    [1e6, "10^{6}"],
    [0.12345, "0.12345"],
    [-0.5, "-0.5"],
  ])("writes %s as %s", (x, text) => expect(numberTex(x)).toBe(text));
});

describe("the vocabulary", () => {
  it("has words and a level for every path, each symbol once within a level", () => {
    for (const id of bindingNames) {
      const term = termOf(id);
      expect(Object.keys(levels)).toContain(term.level);
      expect(render(term.symbol)).not.toContain("katex-error");
      for (const text of [term.name, term.about]) expect(text.length).toBeGreaterThan(0);
    }
    for (const name of algorithmNames) {
      const { terms } = rowDoc(resolveAlgorithm(name), "symbols");
      const symbols = terms.map(({ symbol }) => symbol);
      expect(
        symbols.filter((s, i) => symbols.indexOf(s) !== i),
        name,
      ).toEqual([]);
    }
  });

  it("has no path that no formula uses", () => {
    const seen = new Set<string>();
    const look = (doc: AlgorithmDoc) => doc.terms.forEach(({ id }) => seen.add(id));
    for (const name of algorithmNames)
      for (const setting of settings)
        for (const value of otherValues(setting, null))
          look(rowDoc(resolveAlgorithm(name, { [setting]: value })));
    outsideNames.forEach((name) => look(outsideDoc(name)));
    // The loss of pairs mixes in label smoothing only where it is set; longer units need two settings at once.
    const needTwo = [
      "settings.klHorizon",
      "settings.labelSmoothing",
      "batch.longest",
      "settings.filterKeep",
    ];
    expect(bindingNames.filter((id) => !seen.has(id) && !needTwo.includes(id))).toEqual([]);
  });
});

describe("families", () => {
  it("hold every row, and each is somebody's", () => {
    const used = algorithmNames.map((name) => algorithmFamily(resolveAlgorithm(name)));
    expect(new Set(used)).toEqual(new Set(Object.keys(families)));
  });
});

describe("pages by name", () => {
  it("are refused with the names that there are", () => {
    expect(() => algorithmDoc("ppo")).toThrow(/"ppo"; allowed: reinforce, .*tdpo2, iterative-ppo/);
    expect(() => algorithmDoc("grpo", { epsLow: -1 })).toThrow(/epsLow is -1/);
    expect(algorithmDoc("tdpo2").terms.map(({ id }) => id)).toContain("settings.alpha");
  });
});
