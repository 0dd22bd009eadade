/**
 * Runs as the panels of the lens may meet them, one of each kind that a panel must have an answer to: pure functions,
 * with no Node modules, so that a page in the browser can make them too.
 */
import type { EpisodeRecord, TurnRecord, UnchainedEvent } from "../../src/record/runEvent.ts";
import { validateSpec, type ExperimentSpec } from "../../src/spec/experiment.ts";
import { truthKey, type EpisodeTruth, type Truths } from "../../src/reading/truths.ts";
import { creditSpec } from "../fixtures/creditRun.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { made, timed } from "../fixtures/sickRun.ts";
import { stepsEvents } from "../fixtures/stepsRun.ts";
import { syntheticEvents } from "../fixtures/syntheticEvents.ts";
import { hugeEvents } from "./huge.ts";

type IterationDraft = Extract<UnchainedEvent, { type: "iteration" }>;

export interface Story {
  title: string;
  /** What is particular about it. */
  about: string;
  /** The place of its cursor, as in a link. */
  at: string;
  /** Its events, where it is a recording (none: there is no run); null: it is a file of another program. */
  events: (() => UnchainedEvent[]) | null;
  /** Whether an oracle has answered for its last iteration. */
  truth?: boolean;
}

export const stories = {
  typical: {
    title: "Typical",
    about: "Twenty iterations of three methods, of which one falls ill; everything is recorded.",
    at: "turn-ppo,20,2,2",
    events: typicalEvents,
    truth: true,
  },
  groups: {
    title: "Groups",
    about: "The typical run, looked at where rollouts of one task are compared.",
    at: "grpo,20,6,2",
    events: typicalEvents,
    truth: true,
  },
  "no-run": {
    title: "No run",
    about: "Nothing has been run or recorded yet.",
    at: "",
    events: () => [],
  },
  empty: {
    title: "Empty",
    about: "A run that has just begun: its settings are known, and nothing else.",
    at: "",
    events: () => typicalEvents().slice(0, 1),
  },
  "one-point": {
    title: "One point",
    about: "One method, one iteration, one episode of one turn with one token.",
    at: "turn-ppo,1,1,1,1",
    events: onePointEvents,
  },
  huge: {
    title: "Huge",
    about: "Hundreds of iterations, 64 episodes of 50 turns, long texts, numbers out of scale.",
    at: "turn-ppo,500,2,49",
    events: hugeEvents,
  },
  "not-finite": {
    title: "Not finite",
    about: "Numbers that were none, everywhere where numbers can be, and a method that crashed.",
    at: "turn-ppo,2,1,2",
    events: notFiniteEvents,
  },
  "missing-fields": {
    title: "Missing fields",
    about:
      "An old log: no critics, no optimiser steps, no tokens, no clock, hardly any settings, an episode without turns.",
    at: "turn-ppo,2,1,1",
    events: missingFieldsEvents,
  },
  imported: {
    title: "Imported",
    about: "A rollout file of verl, which tells texts and rewards, and little beside them.",
    at: "",
    events: null,
  },
} satisfies Record<string, Story>;

export type StoryName = keyof typeof stories;

/** The run as a recording's text. No fingerprint is asked of it. */
export function recordingOf(events: readonly UnchainedEvent[]): string {
  const header = { command: "npm run -s turnbook -- train SYNTHETIC", synthetic: true };
  const lines = events.map((event) => ({ ...event, chain: "" }));
  return [header, ...lines].map((line) => JSON.stringify(line)).join("\n");
}

/** The last iterations have their episodes and steps; all have their numbers. */
export function typicalEvents(): UnchainedEvent[] {
  const spec = validateSpec({ ...shortRun(), recordEpisodes: 8 });
  const last = spec.optimisation.iterations;
  const bare = ({ updates: _, ...event }: IterationDraft) => ({ ...event, episodes: [] });
  const kept = (event: IterationDraft) => (event.iteration > last - 3 ? event : bare(event));
  return stepsEvents(kept, spec).map((event) => timed(explained(made(event, true))));
}

/** With how much the critic explained of the turns, one by one. */
function explained(event: UnchainedEvent): UnchainedEvent {
  if (event.type !== "iteration" || event.algorithm !== "turn-ppo") return event;
  const byTurn = [0.8, 0.6, 0.45, 0.2, -0.1].map(
    (share, h) => [`critic/turn_vf_explained_var/${h + 1}`, share] as const,
  );
  return { ...event, metrics: { ...event.metrics, ...Object.fromEntries(byTurn) } };
}

function onePointEvents(): UnchainedEvent[] {
  const { evaluation, optimisation, algorithms, ...spec } = creditSpec();
  const one = validateSpec({
    ...spec,
    algorithms: algorithms.filter(({ name }) => name === "turn-ppo"),
    optimisation: { ...optimisation, iterations: 1 },
    evaluation: { ...evaluation, every: 5 },
    recordEpisodes: 1,
  });
  return stepsEvents((event) => ({ ...event, ...firstOf(event) }), one).map(timed);
}

/** The first turn of the first episode, and one step. */
function firstOf({ episodes, updates }: IterationDraft) {
  const [{ turns, ...episode }] = episodes as [EpisodeRecord];
  const [{ tokens, ...turn }] = turns as [TurnRecord];
  return {
    episodes: [{ ...episode, turns: [{ ...turn, tokens: tokens.slice(0, 1) }] }],
    // One that has moved, of the half of the episodes that is kept.
    updates: updates!.slice(2, 3).map((step) => ({
      ...step,
      ...{ epoch: 0, turns: [1], cutHigh: [0], cutLow: [0] },
    })),
  };
}

/** JSON has no such numbers: as in a real log they become null. */
function notFiniteEvents(): UnchainedEvent[] {
  const events = stepsEvents((event) => ({
    ...event,
    episodes: event.episodes.map(withoutNumbers),
    metrics: Object.fromEntries(Object.keys(event.metrics).map((name) => [name, NaN])),
    updates: event.updates!.map((step, i) => (i % 2 === 0 ? { ...step, cutShare: NaN } : step)),
  }));
  const [{ time }] = events as [UnchainedEvent];
  const crash: UnchainedEvent = {
    ...{ type: "crash", algorithm: "grpo", iteration: 2, cause: "The gradient was not finite." },
    ...{ action: "Lower the learning rate.", time },
  };
  const goesOn = (event: UnchainedEvent) =>
    !("iteration" in event && event.algorithm === "grpo" && event.iteration >= 2);
  return [...events.filter(goesOn), crash].map(timed);
}

/** A first turn has its value, and no credit; of those after it every other one has no number at all. */
function withoutNumbers(episode: EpisodeRecord): EpisodeRecord {
  return {
    ...episode,
    turns: episode.turns.map((turn, h) => ({
      ...turn,
      ...{ advantage: NaN, ratio: NaN },
      ...(h > 0 && { value: NaN, return: NaN }),
      ...(h % 2 === 1 && { reward: NaN, formatPenalty: NaN, critics: { "turn-ppo": [NaN] } }),
      tokens: turn.tokens.map((token) => ({
        ...token,
        ...{ logprob: NaN, oldLogprob: NaN, entropy: NaN, advantage: NaN, value: NaN },
      })),
    })),
  };
}

/** As little as a line may have and still be read. */
function missingFieldsEvents(): UnchainedEvent[] {
  const { environment, algorithms, optimisation } = creditSpec();
  const spec = {
    environment: { kind: environment.kind },
    algorithms: algorithms.map(({ name }) => ({ name })),
    optimisation: { iterations: optimisation.iterations },
  } as ExperimentSpec;
  return [...syntheticEvents(creditSpec())].flatMap((event): UnchainedEvent[] => {
    const told = { ...made(event, false), time: {} } as unknown as UnchainedEvent;
    if (told.type === "start") return [{ ...told, spec }];
    return told.type === "iteration" ? [{ ...told, episodes: told.episodes.map(asOfOld) }] : [];
  });
}

/** No critic; and one episode has ended before it began. */
function asOfOld(episode: EpisodeRecord, i: number): EpisodeRecord {
  const turns = episode.turns.map((turn) => ({ ...turn, value: null, return: null }));
  return { ...episode, turns: i === 1 ? [] : turns };
}

/** What an oracle might have answered for a run's last iteration: near the critic, and not the same. */
export function truthsOf(events: readonly UnchainedEvent[]): Truths {
  const played = events.filter((event) => event.type === "iteration");
  const last = played.at(-1)?.iteration ?? 0;
  const entries = played
    .filter(({ iteration }) => iteration === last)
    .flatMap(({ algorithm, iteration, episodes }) =>
      episodes.map((one) => [truthKey(algorithm, iteration, one.trajectory), truthOf(one, last)]),
    );
  return Object.fromEntries(entries) as Truths;
}

function truthOf({ turns, trajectory }: EpisodeRecord, iteration: number): EpisodeTruth {
  return {
    turns: turns.map((turn, h) => {
      const value = 1.6 - 0.6 * h + 0.2 * trajectory;
      const advantage = turn.reward / 4 - 0.1;
      return {
        value,
        valueInterval: [value - 0.5, value + 0.5],
        advantage,
        advantageInterval: [advantage - 0.4, advantage + 0.4],
      };
    }),
    found: { trained: iteration - 1, branches: 32, gamma: 0.99, steps: "turn" },
  };
}
