/** A run that is too large in every direction: iterations, episodes, turns, texts, and the numbers themselves. */
import type {
  EpisodeRecord,
  Metrics,
  TokenRecord,
  TurnRecord,
  UnchainedEvent,
  UpdateRecord,
} from "../../src/record/runEvent.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { creditSpec } from "../fixtures/creditRun.ts";
import { made } from "../fixtures/sickRun.ts";
import { syntheticEvents } from "../fixtures/syntheticEvents.ts";

type IterationDraft = Extract<UnchainedEvent, { type: "iteration" }>;

const ITERATIONS = 500;
const EPISODES = 64;
const TURNS = 50;
const STEPS = 96;
/** In one group of GRPO. */
const GROUP = 32;

/** No two neighbours of one size. */
const SIZES = [1e30, -1e-30, 1e-30, -1e30, 12345.6789, 0];
const size = (i: number) => SIZES[i % SIZES.length]!;

const LONG_WORD = "Unbreakable".repeat(60);
const LONG_TEXT = "And then the box stood in a corner, where nobody could push it. ".repeat(60);

/** Only the last iteration has its episodes and steps. */
export function hugeEvents(): UnchainedEvent[] {
  const { optimisation, evaluation, ...spec } = creditSpec();
  const long = validateSpec({
    ...spec,
    optimisation: { ...optimisation, iterations: ITERATIONS },
    evaluation: { ...evaluation, every: 10 },
  });
  return [...syntheticEvents(long)].map((event, i) =>
    event.type === "iteration" ? grown(made(event, false) as IterationDraft, i) : event,
  );
}

function grown(event: IterationDraft, i: number): UnchainedEvent {
  const metrics: Metrics = { ...event.metrics, "actor/grad_norm": size(i) };
  const time = { ...event.time, rollout: 1e7, update: 3e7, bytes: 5e13 };
  if (event.iteration < ITERATIONS) return { ...event, metrics, time, episodes: [] };
  const [model] = event.episodes as [EpisodeRecord];
  const episodes = Array.from({ length: EPISODES }, (_, k) => longEpisode(model, k));
  const updates = Array.from({ length: STEPS }, (_, step) => largeStep(step));
  return { ...event, metrics, time, episodes, updates };
}

function longEpisode(model: EpisodeRecord, trajectory: number): EpisodeRecord {
  const [first] = model.turns as [TurnRecord];
  const turns = Array.from({ length: TURNS }, (_, h) => extremeTurn(first, trajectory + h, h));
  const task = `${LONG_WORD.slice(0, 80)}:${Math.floor(trajectory / GROUP)}`;
  return {
    ...model,
    trajectory,
    task,
    seed: 2 ** 40 + trajectory,
    reward: size(trajectory),
    turns,
  };
}

function extremeTurn(model: TurnRecord, i: number, h: number): TurnRecord {
  const isLong = h === TURNS - 2;
  return {
    ...model,
    ...(isLong && { observation: `${LONG_TEXT}\n${LONG_WORD}`, text: `${LONG_WORD} ${LONG_TEXT}` }),
    ...{ reward: size(i), value: size(i + 1), advantage: size(i + 2), return: size(i + 3) },
    ...{ ratio: Math.abs(size(i)), clipped: i % 3 === 0 },
    tokens: [0, 1].map((t) => extremeToken(i + t, isLong && t === 0)),
    critics: { "turn-ppo": [size(i + 1)], "token-ppo": [size(i + 2), size(i + 4)] },
  };
}

function extremeToken(i: number, isLong: boolean): TokenRecord {
  return {
    ...{ id: 2 ** 31 - 1 - i, text: isLong ? LONG_WORD : " Left", entropy: Math.abs(size(i + 4)) },
    ...{ oldLogprob: -Math.abs(size(i)), logprob: -Math.abs(size(i + 1)) },
    ...{ advantage: size(i + 2), value: size(i + 3) },
  };
}

function largeStep(i: number): UpdateRecord {
  const counts = Array.from({ length: 41 }, (_, bin) => 10 ** (9 - (Math.abs(bin - 20) % 10)));
  const column = (n: number) => Array<number>(TURNS).fill(n);
  return {
    ...{ epoch: i >> 3, minibatch: i % 8, cutShare: 0.999 },
    ...{ token: { limit: 1e30, counts }, turn: { limit: 1e-30, counts } },
    ...{ turns: column(1e9), cutHigh: column(4e8), cutLow: column(5e8) },
  };
}
