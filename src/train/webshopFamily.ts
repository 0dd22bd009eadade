/** WebShop as a task family: the generated shop's worlds, goals and the expert's demonstrations. */
import type { Catalogue } from "../env/webshop/catalogue.ts";
import { expert, shopPotential } from "../env/webshop/expert.ts";
import { generateCatalogue } from "../env/webshop/generate/generateCatalogue.ts";
import { ShopTask, type ShopTaskInfo } from "../env/webshop/shopTask.ts";
import { WebShopEnv } from "../env/webshop/webshopEnv.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { World } from "../rollout/world.ts";
import type { WebShopSpec } from "../spec/experiment.ts";
import { MAX_QUERY_TOKENS } from "../text/compactWebshop.ts";
import type { PromptAdapter } from "../text/promptAdapter.ts";
import type { ShownPage } from "../text/webshopView.ts";
import { webshopTokenizerFiles, WEBSHOP_TOKENS } from "../text/webshopVocabulary.ts";
import { GoalSeeds } from "./goalSeeds.ts";
import type { Demonstration, TaskFamily } from "./world.ts";

/**
 * The vocabulary is padded to a multiple of this, for fast kernels and so that words can be added.
 */
const VOCABULARY_BUCKET = 64;

/** The task family of a spec's shop, with a prompter; `noise` is the expert's. */
export function webshopFamily(
  environment: WebShopSpec,
  prompter: PromptAdapter<ShownPage>,
  noise: number,
): TaskFamily {
  const catalogue = catalogueOf(environment.catalogSeed);
  const world: World<ShopTaskInfo> = {
    create: () => openTask(catalogue, environment),
    prompter,
    maxTurns: environment.maxTurns,
    maxQueryTokens: MAX_QUERY_TOKENS,
  };
  return {
    name: "webshop",
    world,
    levels: new GoalSeeds(catalogue, environment.catalogSeed),
    vocabSize: Math.ceil(WEBSHOP_TOKENS.length / VOCABULARY_BUCKET) * VOCABULARY_BUCKET,
    tokenizerFiles: webshopTokenizerFiles,
    demonstrate: (seed) => demonstrate(openTask(catalogue, environment), seed, prompter, noise),
    gain: {
      kind: "answer",
      of: (task, info) => answerOf(task as ShopTask, info as ShopTaskInfo, prompter),
    },
    potential: (task) => shopPotential((task as ShopTask).shop),
  };
}

function openTask(catalogue: Catalogue, environment: WebShopSpec): ShopTask {
  const { observation, maxTurns, formatPenalty } = environment;
  return new ShopTask(new WebShopEnv(catalogue, { observation, maxTurns, formatPenalty }));
}

/** The last shop generated, shared by all learners in it. */
let kept: { seed: number; catalogue: Catalogue } | null = null;

function catalogueOf(seed: number): Catalogue {
  if (kept?.seed !== seed) kept = { seed, catalogue: generateCatalogue(seed) };
  return kept.catalogue;
}

/**
 * The right answer is the id of the product that the goal was made from. It can be given by opening
 * the product where it is listed; on its page it has been given; anywhere else it cannot be given.
 */
function answerOf(
  { shop }: ShopTask,
  info: ShopTaskInfo,
  prompter: PromptAdapter<ShownPage>,
): readonly number[] | boolean {
  const { page, goal, nodes } = shop;
  if (page.kind === "results") {
    const listed = nodes.some((node) => node.role === "product" && node.text === goal.asin);
    return listed && prompter.respond([`click[${goal.asin.toLowerCase()}]`], info);
  }
  return page.kind !== "search" && page.asin === goal.asin;
}

/** The expert's responses from the search to the purchase, or null if it runs out of turns. */
function* demonstrate(
  task: ShopTask,
  seed: number,
  prompter: PromptAdapter<ShownPage>,
  noise: number,
): Sliced<Demonstration | null> {
  const policy = expert({ share: noise, seed: 0, episode: seed });
  const responses: number[][] = [];
  let { info } = task.reset(seed);
  for (;;) {
    const response = prompter.respond([policy(task.shop)], info);
    responses.push(response);
    const step = task.step(prompter.answer(response, info));
    if (step.terminated) return { seed, responses };
    if (step.truncated) return null;
    info = step.info;
    yield;
  }
}
