/** The shop alone: 64 environments step in lockstep, once with page clicks, once with searches. */
import { cpus, loadavg } from "node:os";
import { pythonRandom, type PythonRandom } from "../../src/env/random/pythonRandom.ts";
import { stemmedTerms } from "../../src/env/webshop/analyser.ts";
import { createCatalogue, type Catalogue } from "../../src/env/webshop/catalogue.ts";
import { syntheticGoals } from "../../src/env/webshop/goals.ts";
import type { Product } from "../../src/env/webshop/product.ts";
import { OBSERVATION_MODES } from "../../src/env/webshop/render.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";

const ENVIRONMENTS = 64;
const REPEATS = 7;
const SECONDS = 0.5;

const WORDS = (
  "cotton linen wool shirt jacket lamp desk chair cable charger bottle mug slim long short warm " +
  "light fast heavy small large washable wireless steel wooden leather travel kitchen garden office"
).split(" ");

function product(i: number, random: PythonRandom): Product {
  const words = (n: number) => Array.from({ length: n }, () => random.choice(WORDS)).join(" ");
  const price = 5 + random.below(200);
  return {
    asin: `B0BENCH${String(i).padStart(3, "0")}`,
    title: words(6),
    description: words(40),
    features: [words(8), words(8), words(8)],
    rating: "N.A.",
    reviews: [],
    priceText: `$${price}.0`,
    pricing: [price],
    price,
    category: random.choice(["home", "fashion", "electronics"]),
    query: words(2),
    productCategory: `Home › ${random.choice(WORDS)}`,
    attributes: [words(2), words(2), words(2)],
    options: [
      { name: "color", values: ["red", "blue", "green"] },
      { name: "size", values: ["small", "medium", "large"] },
    ],
    image: null,
  };
}

/** Every page kind but the last, without a search. */
const CLICKS = [
  ...["next >", "< prev", "ITEM", "red", "large", "description", "< prev", "features", "< prev"],
  "< prev",
];

function shop(count: number, stemmed: boolean): Catalogue {
  const random = pythonRandom(1);
  const products = Array.from({ length: count }, (_, i) => product(i, random));
  const goals = products.flatMap((one) => {
    const { asin, attributes } = one;
    return syntheticGoals(one, { asin, instruction: `Find me ${one.query}`, attributes }, random);
  });
  return createCatalogue(products, goals, stemmed ? { analyse: stemmedTerms } : {});
}

type Act = (env: WebShopEnv, round: number) => string;

const clickAct: Act = (env, round) => {
  const name = CLICKS[round % CLICKS.length]!;
  const { page } = env;
  const first = page.kind === "results" ? page.found[0]!.toLowerCase() : "";
  return `click[${name === "ITEM" ? first : name}]`;
};

const searchAct: Act = (env, round) => {
  const at = round * 7 + env.goal.instruction.length;
  const word = (k: number) => WORDS[(at + k * 11) % WORDS.length]!;
  return `search[${word(0)} ${word(1)} ${word(2)} ${word(3)}]`;
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

function measure(catalogue: Catalogue, observation: (typeof OBSERVATION_MODES)[number], act: Act) {
  const rates = Array.from({ length: REPEATS }, () => {
    const envs = Array.from({ length: ENVIRONMENTS }, (_, i) => {
      const env = new WebShopEnv(catalogue, { observation, maxTurns: 10_000_000 });
      env.reset(i * 37);
      env.step(`search[${WORDS[i % WORDS.length]}]`);
      return env;
    });
    return rate(envs, act);
  }).sort((a, b) => a - b);
  const [low, middle, high] = [rates[0]!, rates[REPEATS >> 1]!, rates.at(-1)!].map(Math.round);
  return `${middle} /s (median of ${REPEATS}, ${low} to ${high})`;
}

export function main(count: number): void {
  const plain = shop(count, false);
  console.log(`${count} products, ${plain.goals.length} goals, ${ENVIRONMENTS} environments;`);
  console.log(`Node ${process.version}, ${cpus()[0]?.model}, load ${loadavg()[0]!.toFixed(1)}`);
  for (const mode of OBSERVATION_MODES) {
    console.log(`page clicks, ${mode}: ${measure(plain, mode, clickAct)}`);
  }
  console.log(`searches, plain terms: ${measure(plain, "text", searchAct)}`);
  console.log(`searches, stems: ${measure(shop(count, true), "text", searchAct)}`);
}
