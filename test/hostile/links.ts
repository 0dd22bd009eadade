/**
 * 20,000 random and damaged share links (60,000 in the long form), and 1,000 with code: each gives a valid experiment, and says
 * what it could not use; none replaces what the reader has, and code waits for its reader.
 */
import { manifests } from "../../src/panels/manifests.ts";
import { algorithmNames, settingNames } from "../../src/spec/algorithms.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { logOfCurves } from "../../src/reading/fingerprintCurves.ts";
import { curvesFromText } from "../../src/spec/linkCurves.ts";
import { learnerNames } from "../../src/spec/preference.ts";
import { presetNames, presetSpec } from "../../src/spec/presets.ts";
import { mayRun } from "../../src/store/codeConsent.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { readArrangement } from "../../src/store/lens.ts";
import { readSettings } from "../../src/store/lensSettings.ts";
import { isExperimentHash, receiveLink } from "../../src/store/links.ts";
import { editField, openDraft } from "../../src/store/specDraft.ts";
import { readChoice } from "../../src/store/turnChoice.ts";
import { rowOf, type Area } from "./area.ts";

/** Seconds for one link. */
const LIMIT = 10;

export const links: Area = {
  name: "links",
  run: async ({ full, random }) => {
    const share = full ? 20_000 : 6_667;
    const make = (what: string, one: (random: () => number) => string, count = share) => {
      const draw = random(`links ${what}`);
      return rowOf(
        what,
        Array.from({ length: count }, () => one(draw)),
        attempt,
      );
    };
    return [
      await make("links of fields and values", wordLink),
      await make("honest links, damaged", damagedLink),
      await make("noise", noise, share - (full ? 0 : 1)),
      await make("links with code, damaged", codeLink, full ? 4000 : 1000),
    ];
  },
};

/** Null where the link ends as it must. */
function attempt(hash: string): string | null {
  const started = performance.now();
  const wrong = faultOf(hash);
  const seconds = (performance.now() - started) / 1000;
  const told = wrong ?? (seconds > LIMIT ? `took ${seconds.toFixed(0)} s` : null);
  return told === null ? null : `${told}: ${JSON.stringify(hash).slice(0, 300)}`;
}

/** Null where the link is read as it must be. */
export function faultOf(hash: string): string | null {
  isExperimentHash(hash);
  const link = decodeLink(hash);
  if (canonicalJson(validateSpec(link.spec)) !== canonicalJson(link.spec))
    return "the spec is not valid";
  const again = decodeLink(encodeLink(link.spec));
  if (again.warnings.length > 0) return `its own link warns: ${again.warnings[0]}`;
  if (canonicalJson(again.spec) !== canonicalJson(link.spec))
    return "its own link is another experiment";
  const placed: string[] = [];
  readArrangement(manifests, link, placed);
  if (link.at !== null) readChoice(link.at);
  const { warnings } = readSettings(manifests, link.settings);
  const all = [...link.warnings, ...placed, ...warnings];
  // What the page draws of them.
  if (link.curves !== null)
    logOfCurves(link.spec, curvesFromText(link.curves, learnerNames(link.spec).length));
  const odd = all.find((text) => text.length > 600 || /\p{Cc}/u.test(text));
  if (odd !== undefined) return `it warns with ${JSON.stringify(odd.slice(0, 100))}`;
  if ("polluted" in {} || "executed" in globalThis) return "something in it was taken for code";
  return unnamed(hash, link.warnings) ?? takenIn(hash);
}

const EDITED = editField(openDraft(presetSpec("nano")), "seed", "77");

/** What a page with edits, and one without, make of the link. */
function takenIn(hash: string): string | null {
  if (!isExperimentHash(hash)) return null;
  const edited = createExperimentStore(presetSpec("nano"), [], manifests);
  edited.setState({ draft: EDITED });
  receiveLink(edited, hash);
  if (edited.getState().draft !== EDITED) return "it replaces the reader's edits";
  const fresh = createExperimentStore(presetSpec("nano"), [], manifests);
  receiveLink(fresh, hash);
  const { definitions = [] } = fresh.getState().draft.spec;
  return definitions.length > 0 && mayRun(definitions) ? "its code may run unasked" : null;
}

/** An unknown part that no warning mentions. */
function unnamed(hash: string, warnings: readonly string[]): string | null {
  const known = hash.startsWith("#v1/nano?nosuchfield=");
  if (!known || hash.length > 4096) return null;
  return warnings.some((text) => text.includes("nosuchfield")) ? null : "nosuchfield is not named";
}

const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

const many = <T>(random: () => number, most: number, one: () => T): T[] =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, one);

/** Every path of every preset. */
const PATHS = [
  ...new Set(
    presetNames.flatMap((name) => pathsOf(presetSpec(name) as unknown as Record<string, unknown>)),
  ),
];

function pathsOf(node: Record<string, unknown>, before = ""): string[] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? [before + key, ...pathsOf(value as Record<string, unknown>, `${before + key}.`)]
      : [before + key],
  );
}

const WORDS = [
  ...["__proto__", "constructor", "prototype", "__proto__.polluted", "toString", "", ".", "a.b.c"],
  ...["iterations", "backend", "algorithms", "preference", "iterative", "schedule", "fp", "trace"],
  ...["processReward", "view", "at", "open", "alone", "curves:axis", "formula:step", "x:y"],
  ...["by", "curves"],
  ...["preference.methods", "preference.lr", "iterative.gamma", "schedule.from", "nosuchfield"],
];

/** Of three methods, as nano has. */
const CURVES = "reward,-0.5,2,1.1.4,AABBCC__,AABBCC__,AABBCC__,heldout,0,1,0.2.2,AA__,AA__,AA__";

const VALUES = [
  ...["0", "1", "-1", "1e9", "1e400", "-0", "NaN", "Infinity", "null", "true", "false", "default"],
  ...[
    "none",
    "on",
    "off",
    "undefined",
    "0x10",
    "1_000",
    "１",
    "",
    " ",
    "9007199254740993",
    "1e-320",
  ],
  ...["<img src=x onerror=executed=1>", "javascript:executed=1", "'\"`${executed=1}", "../../etc"],
  ...["%00", "%", "%zz", "%e0%80%80", "%F0%9F%98%80", "a,b", ",", "turn-ppo,12,1,4", "lens"],
  ...["grpo,grpo", "grpo,,", "constructor", "__proto__", "\u202e", "\u0000", "\ud800", "名"],
  ...[
    "0.1.0,webgpu,a-card",
    CURVES,
    CURVES.slice(0, 30),
    "reward,0,1e400,1.1.1,AA",
    "reward,0,1,0.0.0,",
  ],
  ...["wasm", "webgpu", "sokoban", "webshop", "checkpoint", "x".repeat(300), "9".repeat(400)],
];

function key(random: () => number): string {
  const kind = random();
  if (kind < 0.5) return pick(random, PATHS);
  if (kind < 0.75) return `${pick(random, algorithmNames)}.${pick(random, settingNames)}`;
  return pick(random, WORDS);
}

function value(random: () => number): string {
  const kind = random();
  if (kind < 0.6) return pick(random, VALUES);
  if (kind < 0.7) return many(random, 4, () => pick(random, algorithmNames)).join(",");
  return String(Math.round(10 ** (random() * 6 - 2) * 100) / 100);
}

function wordLink(random: () => number): string {
  if (random() < 0.02) return `#v1/nano?nosuchfield=${value(random).replace(/[&%]/g, "")}`;
  const name = random() < 0.9 ? pick(random, presetNames) : value(random);
  const most = random() < 0.02 ? 90 : 8;
  const parts = many(random, most, () => `${key(random)}=${value(random)}`);
  return `#v${random() < 0.97 ? 1 : pick(random, VALUES)}/${name}?${parts.join("&")}`;
}

/** A link that the page could have written, of a valid experiment. */
function honestLink(random: () => number): string {
  const { spec } = decodeLink(wordLink(random));
  const place = { view: "lens", at: "turn-ppo,12,1,4", open: "formula,-turns", alone: "clip" };
  const settings = { "curves:axis": "tokens", "formula:step": "clip" };
  const fingerprint = Array.from({ length: 64 }, () => pick(random, [..."0123456789abcdef"]));
  const run = { fingerprint: fingerprint.join(""), trace: "0a1b", sender: "0.1.0,wasm" };
  return encodeLink(spec, { ...place, settings, ...run, curves: CURVES });
}

const SOURCE = "export function reward() { globalThis.executed = 1; return 1; }";

/** One that carries code, with its letters damaged or not. */
export function codeLink(random: () => number): string {
  const definitions = [{ kind: "reward", name: "theirs", source: SOURCE }] as const;
  const spec = { ...presetSpec(pick(random, presetNames)), definitions: [...definitions] };
  let link = encodeLink(spec);
  if (random() < 0.5) link += "&environment.reward=theirs";
  for (let left = Math.floor(random() * 4); left > 0; left--) link = damaged(link, random);
  return link;
}

function damagedLink(random: () => number): string {
  let link = honestLink(random);
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) link = damaged(link, random);
  return link;
}

function damaged(link: string, random: () => number): string {
  const at = Math.floor(random() * (link.length + 1));
  const to = Math.min(link.length, at + Math.floor(random() * 20));
  switch (Math.floor(random() * 7)) {
    case 0:
      return link.slice(0, at);
    case 1:
      return link.slice(0, at) + link.slice(to);
    case 2:
      return link.slice(0, to) + link.slice(at);
    case 3:
      return link.slice(0, at) + pick(random, VALUES) + link.slice(at);
    case 4:
      return link.slice(0, at) + String.fromCharCode(random() * 0x10000) + link.slice(at + 1);
    case 5:
      return `${link}&${key(random)}=${value(random)}`;
    default:
      return link.split("&").sort().reverse().join("&");
  }
}

function noise(random: () => number): string {
  const long = random() < 0.01 ? 100_000 : 200;
  const letters = many(random, long, () => String.fromCharCode(random() ** 3 * 0x10000));
  const marks = many(random, 10, () => pick(random, ["&", "=", "%", "?", "/", "#", ".", ","]));
  const text = [...letters, ...marks].sort(() => random() - 0.5).join("");
  return `${pick(random, ["", "#", "#v1/", "#v1/nano?", "#v2/nano?", "#v1/nano?seed="])}${text}`;
}
