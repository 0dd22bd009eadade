/** The shop alone: 64 environments step in lockstep, once with page clicks, once with searches. */
import { plainTerms, stemmedTerms } from "../../src/env/webshop/analyser.ts";
import { createCatalogue, type Catalogue } from "../../src/env/webshop/catalogue.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { OBSERVATION_MODES, type ObservationMode } from "../../src/env/webshop/render.ts";
import { shownResults } from "../../src/env/webshop/state.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import { sayConditions, startConditions } from "./conditions.ts";
import { line, number, spread } from "./numbers.ts";

const ENVIRONMENTS = 64;
const REPEATS = 7;
const SECONDS = 0.5;
/** Per second, of all environments together. */
const CLICK_TARGET = 50_000;
const SEARCH_TARGET = 2_000;

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

/** The generated shops of that many seeds as one. */
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

/** Rates of fresh environments, ascending. [REPEATS] */
function measure(catalogue: Catalogue, observation: ObservationMode, act: Act): number[] {
  const rates = Array.from({ length: REPEATS }, () => {
    const envs = Array.from({ length: ENVIRONMENTS }, (_, i) => {
      const env = new WebShopEnv(catalogue, { observation, maxTurns: 10_000_000 });
      env.step(searchAct(env, env.reset(i * 37).info.goal));
      return env;
    });
    return rate(envs, act);
  });
  return rates.sort((a, b) => a - b);
}

function row(what: string, { products }: Catalogue, rates: number[], target: number): string {
  const median = rates[REPEATS >> 1]!;
  const verdict = median >= target ? "holds" : "MISSED";
  const counts = [products.length, number(median) + spread(rates), target, verdict];
  return line([what, ...counts.map(String)]);
}

/** Prints a Markdown table and what the machine was like. */
export function main(): void {
  const conditions = startConditions();
  console.log(line(["what", "products", "median a second (range)", "target", "verdict"]));
  console.log(line(Array<string>(5).fill("---")));
  for (const seeds of [1, 3]) {
    const plain = shop(seeds);
    for (const mode of OBSERVATION_MODES) {
      const rates = measure(plain, mode, clickAct);
      console.log(row(`page clicks, ${mode}`, plain, rates, CLICK_TARGET));
    }
    for (const [name, catalogue] of [
      ["plain terms", plain],
      ["stems", shop(seeds, stemmedTerms)],
    ] as const) {
      const rates = measure(catalogue, "text", searchAct);
      console.log(row(`searches, ${name}`, catalogue, rates, SEARCH_TARGET));
    }
  }
  const said = sayConditions(conditions());
  console.log(
    `\n${ENVIRONMENTS} environments in lockstep, n = ${REPEATS} repetitions of ${SECONDS} s; ${said}`,
  );
}
