/** Figures from practice: the reward of a purchase in the shop, and how a tiny policy fails. */
import { compareInGroups } from "../../method/credit/groupScores.ts";
import { formatBrief, formatPercent } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";
import { log, softmax } from "../../numeric/deterministic.ts";
import { categorical, uniforms } from "../../numeric/rng.ts";
import { columnNames, handle, type Exploration, type Standing } from "./exploration.ts";

/**
 * Possible values of rType, from a completely different thing to the right kind (WebShop's
 * get_reward).
 */
const KINDS = [0, 0.1, 0.5, 1] as const;

/** reward = rType * (attributes + options found, and 1 for the price) / (attributes + options wanted + 1) */
function purchaseReward(at: Standing): number {
  const { attributes = 1, found = 0, options = 0, chosen = 0, price = 0, kind = 3 } = at;
  const right = Math.min(found, attributes) + Math.min(chosen, options) + price;
  return (KINDS[kind]! * right) / (attributes + options + 1);
}

/** A purchase corrected in one thing at a time: what was each worth? */
export const purchaseFigure: Exploration = {
  title: "What a purchase earns",
  handles: [
    handle("attributes", "attributes wanted", [1, 4, 1], 2),
    handle("found", "attributes found", [0, 4, 1], 1),
    handle("options", "options wanted", [0, 3, 1], 2),
    handle("chosen", "options chosen right", [0, 3, 1], 1),
    handle("price", "price within limit (1 = yes)", [0, 1, 1], 1),
    handle("kind", "right kind of thing, 0 to 3", [0, 3, 1], 3),
  ],
  show(at) {
    const { attributes = 1, found = 0, options = 0, chosen = 0 } = at;
    const rewards = [
      purchaseReward(at),
      purchaseReward({ ...at, found: Math.min(found, attributes) + 1 }),
      purchaseReward({ ...at, chosen: Math.min(chosen, options) + 1 }),
      purchaseReward({ ...at, price: 1 }),
      purchaseReward({ ...at, kind: 3 }),
    ];
    const now = rewards[0]!;
    const terms = attributes + options + 1;
    return {
      columns: ["now", "+1 attribute", "+1 option", "cheap enough", "right kind"],
      rows: [
        { name: "reward", kind: "amount", values: rewards },
        { name: "gain", kind: "credit", values: rewards.map((r) => r - now) },
      ],
      says: `This purchase earns ${formatBrief(now)}. Each of the ${terms} terms is worth ${formatBrief(1 / terms)} when the kind is right.`,
    };
  },
};

/** Rewards of the tiny policy's three answers: one is best, one nearly as good, one worthless. */
const PAY = [1, 0.8, 0] as const;
const GROUP = 4;
const UPDATES = 8;

/** Logits of a policy that prefers the second answer a little. [3] */
const FIRST = [0, 0.5, 0] as const;

/** A policy of three answers over eight updates: which setting makes it silent, stuck or random? */
export const feverFigure: Exploration = {
  title: "Make a tiny policy ill",
  handles: [
    handle("rate", "step size", [0.1, 10, 0.1], 1),
    handle("temperature", "temperature", [0.05, 1, 0.05], 1),
    handle("entropy", "entropy bonus", [0, 5, 0.1], 0),
    handle("draw", "draw", [1, 20, 1], 1),
  ],
  show(at) {
    const states = policyStates(at);
    const last = states.at(-1)!;
    const silent = states.slice(0, -1).filter(({ isSilent }) => isSilent).length;
    return {
      columns: ["start", ...columnNames("after", UPDATES)],
      rows: [
        { name: "chance of the best answer", kind: "amount", values: states.map((s) => s.best) },
        { name: "entropy", kind: "amount", values: states.map((s) => s.entropy) },
        { name: "silent group (1 = yes)", kind: "amount", values: states.map(silence) },
      ],
      says: `${counted(silent, "silent group")} of ${UPDATES}. The best answer has a chance of ${formatPercent(last.best)} at the end.`,
    };
  },
};

interface PolicyState {
  /** Probability of the best answer. */
  best: number;
  /** In nats. */
  entropy: number;
  /** Whether all of the group that it samples give the same answer. Meaningless for the last, which samples none. */
  isSilent: boolean;
}

const silence = ({ isSilent }: PolicyState, update: number) =>
  update === UPDATES ? null : Number(isSilent);

/** The policy before each update, and after the last. [UPDATES + 1] */
function policyStates({
  rate = 0,
  temperature = 1,
  entropy: bonus = 0,
  draw = 1,
}: Standing): PolicyState[] {
  let logits: number[] = [...FIRST];
  return Array.from({ length: UPDATES + 1 }, (_, update) => {
    const pi = softmax(logits.map((x) => x / temperature)); // [3]
    const H = -pi.reduce((sum, p) => sum + p * log(p + 1e-300), 0);
    const key = { seed: draw, stream: "explore-fever", iteration: update, trajectory: 0, step: 0 };
    const answers = Array.from(uniforms(key, GROUP), (u) => categorical(pi, u)); // [G]
    const up = gradient(answers, pi); // [3]
    logits = logits.map((x, a) => {
      const spread = -pi[a]! * (log(pi[a]! + 1e-300) + H);
      return x + (rate / temperature) * (up[a]! + bonus * spread);
    });
    return { best: pi[0]!, entropy: H, isSilent: new Set(answers).size === 1 };
  });
}

/** Mean over the group of A * d log pi(answer) / d logit, at temperature 1: a policy-gradient step, baseline the group's mean. */
function gradient(answers: readonly number[], pi: Float64Array): number[] {
  const scores = Float64Array.from(answers, (a) => PAY[a]!); // [G]
  const names = answers.map(() => "group");
  const { adv } = compareInGroups(scores, names, "sample"); // [G]
  return Array.from(pi, (p, a) =>
    answers.reduce((sum, own, i) => sum + (adv[i]! * (Number(own === a) - p)) / GROUP, 0),
  );
}
