/** Figures on tokens: the effect of a temperature on a policy's logits, and on what is sampled. */
import { formatBrief, formatPercent } from "../../numeric/format.ts";
import { counted } from "../../numeric/counted.ts";
import { softmax } from "../../numeric/deterministic.ts";
import { greatest } from "../../numeric/lists.ts";
import { uniforms } from "../../numeric/rng.ts";
import { entropyFromLogits } from "../../method/objective/entropy.ts";
import { handle, type Exploration } from "./exploration.ts";
import { lastTogether } from "./weightFigures.ts";

/** Tokens sampled to illustrate the probabilities. */
const SAMPLED = 100;

/** One next token: its probabilities by temperature, and how often each is sampled. */
export const temperatureFigure: Exploration = {
  title: "Turn the temperature",
  needs: ["logits", "tokens"],
  handles: [
    handle("temperature", "temperature T", [0.1, 3, 0.1], 1),
    handle("draw", "draw", [1, 20, 1], 1),
  ],
  show({ temperature = 1, draw = 1 }, { logits = [], tokens = [] }) {
    const scaled = logits.map((z) => z / temperature); // [V]
    const p = [...softmax(scaled)]; // [V]
    const times = sampledTimes(p, draw); // [V]
    const named = tokens.length;
    const others = logits.length - named;
    const likeliest = p.indexOf(greatest(p));
    const { entropy } = entropyFromLogits(scaled);
    return {
      columns: [...tokens, counted(others, "other")],
      rows: [
        { name: "probability", kind: "share", values: lastTogether(p, named) },
        { name: `sampled, of ${SAMPLED}`, kind: "count", values: lastTogether(times, named) },
      ],
      says: `At T = ${formatBrief(temperature)} the likeliest token is ${tokens[likeliest] ?? "another one"}, with ${formatPercent(p[likeliest])}. The entropy is ${formatBrief(entropy)} nats.`,
    };
  },
};

/** How often each token comes up in `SAMPLED` draws, [V]. */
function sampledTimes(p: readonly number[], draw: number): number[] {
  const key = { seed: draw, stream: "explore-tokens", iteration: 0, trajectory: 0, step: 0 };
  const times = p.map(() => 0);
  for (const u of uniforms(key, SAMPLED)) {
    let left = u;
    const found = p.findIndex((x) => (left -= x) < 0);
    times[found < 0 ? p.length - 1 : found]! += 1;
  }
  return times;
}
