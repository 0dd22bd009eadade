/** The shop alone: 64 environments step in lockstep, once with page clicks, once with searches. */
import { cpus, loadavg } from "node:os";
import { plainTerms, stemmedTerms } from "../../src/env/webshop/analyser.ts";
import { createCatalogue, type Catalogue } from "../../src/env/webshop/catalogue.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { OBSERVATION_MODES, type ObservationMode } from "../../src/env/webshop/render.ts";
import { shownResults } from "../../src/env/webshop/state.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";

const ENVIRONMENTS = 64;
const REPEATS = 7;
const SECONDS = 0.5;

/** Every page kind but the last, without a search. */
const CLICKS = [
  ...[
    "next >",
    "< prev",
    "ITEM",
    "OPTION",
    "OPTION",
    "description",
    "< prev",
    "features",
    "< prev",
  ],
  "< prev",
];

/** The generated shops of so many seeds as one. */
function shop(seeds: number, analyse = plainTerms): Catalogue {
  const shops = Array.from({ length: seeds }, (_, seed) => generateCatalogue(seed + 1));
  const rename = <T extends { asin: string }>(one: T, s: number): T => {
    return { ...one, asin: `${s}${one.asin.slice(1)}` };
  };
  const products = shops.flatMap((one, s) => one.products.map((product) => rename(product, s)));
  const goals = shops.flatMap((one, s) => one.goals.map((goal) => rename(goal, s)));
  return createCatalogue(products, goals, { analyse });
}

type Act = (env: WebShopEnv, round: number) => string;

/** Goes through CLICKS, with the first product shown and the values of its options. */
const clickAct: Act = ({ page, catalogue }, round) => {
  const name = CLICKS[round % CLICKS.length]!;
  if (page.kind === "results" && name === "ITEM") return `click[${shownResults(page)[0]!}]`;
  if (page.kind !== "item" || name !== "OPTION") return `click[${name}]`;
  const { options } = catalogue.byAsin.get(page.asin)!;
  return `click[${options[round % options.length]!.values[0]!}]`;
};

/** The goal's own words, as a shopper would search, a few more or fewer each time. */
const searchAct: Act = ({ goal }, round) => {
  const words = `${goal.query} ${goal.attributes.join(" ")} ${goal.name}`.split(" ");
  return `search[${words.slice(0, 2 + (round % 5)).join(" ")}]`;
};

/** Steps per second of all environments together, a whole number of rounds. */
function rate(envs: WebShopEnv[], act: Act): number {
  let rounds = 0;
  const start = performance.now();
  let elapsed = 0;
  while (elapsed < SECONDS * 1000) {
    for (let r = 0; r < CLICKS.length; r++, rounds++) {
      for (const env of envs) {
        if (!env.step(act(env, rounds)).info.valid) throw new Error("an action did nothing");
      }
    }
    elapsed = performance.now() - start;
  }
  return (rounds * envs.length) / (elapsed / 1000);
}

function measure(catalogue: Catalogue, observation: ObservationMode, act: Act): string {
  const rates = Array.from({ length: REPEATS }, () => {
    const envs = Array.from({ length: ENVIRONMENTS }, (_, i) => {
      const env = new WebShopEnv(catalogue, { observation, maxTurns: 10_000_000 });
      env.step(searchAct(env, env.reset(i * 37).info.goal));
      return env;
    });
    return rate(envs, act);
  }).sort((a, b) => a - b);
  const [low, middle, high] = [rates[0]!, rates[REPEATS >> 1]!, rates.at(-1)!].map(Math.round);
  return `${middle} /s (median of ${REPEATS}, ${low} to ${high})`;
}

export function main(): void {
  console.log(`${ENVIRONMENTS} environments, Node ${process.version}, ${cpus()[0]?.model}`);
  for (const seeds of [1, 3]) {
    const plain = shop(seeds);
    const load = loadavg()[0]!.toFixed(1);
    console.log(`${plain.products.length} products, ${plain.goals.length} goals; load ${load}`);
    for (const mode of OBSERVATION_MODES) {
      console.log(`  page clicks, ${mode}: ${measure(plain, mode, clickAct)}`);
    }
    console.log(`  searches, plain terms: ${measure(plain, "text", searchAct)}`);
    console.log(`  searches, stems: ${measure(shop(seeds, stemmedTerms), "text", searchAct)}`);
  }
}
