/** Questions about a live run's models, on nano with the wasm engine: right, the same each time, and no trouble to training. */
import { expect, test } from "vitest";
import { mean } from "../../src/numeric/statistics.ts";
import type { EpisodeRecord, IterationEvent } from "../../src/record/runEvent.ts";
import { NOBODY } from "../../src/runtime/askDesk.ts";
import { actionList } from "../../src/env/webshop/clickables.ts";
import { pageNodes } from "../../src/env/webshop/pageNodes.ts";
import { standingOf } from "../../src/reading/shop/standing.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import type { FromWorker } from "../../src/runtime/protocol.ts";
import type {
  Answer,
  ForkAnswer,
  ForkQuestion,
  PlayAnswer,
  Question,
  TruthAnswer,
} from "../../src/runtime/questions.ts";
import {
  askedLearner,
  episodeOf,
  openGame,
  playTurn,
  replay,
  spoken,
} from "../../src/runtime/services/asked.ts";
import { firstDrawFor } from "../../src/runtime/services/draws.ts";
import { scoreEpisodes } from "../../src/runtime/services/score.ts";
import type { Policies } from "../../src/runtime/policies.ts";
import { TrainingSession } from "../../src/runtime/session.ts";
import type { PartialSpec } from "../../src/spec/experiment.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { branchReturns } from "../../src/train/oracle/branches.ts";
import type { AnyLearner } from "../../src/train/preference/learner.ts";
import { trueValues } from "../../src/train/oracle/trueValues.ts";
import { host, loadAsset, runSpec, tinySpec, wasmEngine } from "../train/support.ts";

/** A session on the shared wasm engine, and questions to it as promises. */
function session() {
  const heard: FromWorker[] = [];
  const waiting: { test: (message: FromWorker) => boolean; resolve: () => void }[] = [];
  const training = new TrainingSession({
    post: (message) => {
      heard.push(structuredClone(message));
      waiting.filter(({ test }) => test(message)).forEach(({ resolve }) => resolve());
    },
    openEngine: async () => {
      const engine = { ...(await wasmEngine()), dispose: () => undefined };
      return { engine, report: { ...engine.info, fallback: null } };
    },
    loadAsset,
    now: () => performance.now(),
    rest: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const next = (test: (message: FromWorker) => boolean) =>
    new Promise<void>((resolve) => waiting.push({ test, resolve }));
  let ids = 0;
  const ask = async (question: Question): Promise<Answer | string> => {
    const id = ++ids;
    const over = (message: FromWorker) =>
      (message.type === "answer" || message.type === "refused") && message.id === id;
    const done = next(over);
    await training.receive({ type: "ask", id, question });
    if (!heard.some(over)) await done;
    const message = heard.find(over)!;
    return message.type === "answer" ? message.answer : (message as { message: string }).message;
  };
  return { training, heard, next, ask };
}

const isState = (state: string) => (message: FromWorker) =>
  message.type === "state" && message.state === state;

/** A session that has done that many iterations and is paused. */
async function pausedAfter(steps: number, changes: PartialSpec = {}) {
  const made = session();
  let paused = made.next(isState("paused"));
  await made.training.receive({ type: "start", spec: tinySpec(changes), paused: true });
  await paused;
  for (let i = 0; i < steps; i++) {
    paused = made.next(isState("paused"));
    await made.training.receive({ type: "step" });
    await paused;
  }
  return made;
}

function episodesOf(heard: FromWorker[], algorithm: string): EpisodeRecord[] {
  const events = heard.flatMap((message) => (message.type === "events" ? message.events : []));
  const isOne = (event: (typeof events)[number]): event is IterationEvent =>
    event.type === "iteration" && event.algorithm === algorithm;
  return events.find(isOne)!.episodes;
}

const fork = (episode: EpisodeRecord, changes: Partial<ForkQuestion> = {}): ForkQuestion => ({
  ...{ kind: "fork", algorithm: "turn-ppo", iteration: 1, episode, turn: 0, branches: 8 },
  ...{ response: null, board: null },
  ...changes,
});

/** Of an iteration's episodes the policy is kept that played them; of later ones there are none yet: the one of now. */
test.each([
  { iteration: 1, trained: 0 },
  { iteration: 3, trained: 1 },
])("the truth is the oracle's, for the policy of iteration $iteration", async (of) => {
  const { iteration, trained } = of;
  const { training, heard, ask } = await pausedAfter(1);
  const [episode] = episodesOf(heard, "turn-ppo");
  const common = { kind: "truth", algorithm: "turn-ppo", branches: 8 } as const;
  const question = { ...common, iteration, episode: episode! };
  const answer = (await ask(question)) as TruthAnswer;
  expect(answer).toMatchObject({ kind: "truth", trained, branches: 8 });
  expect(answer.value).toHaveLength(episode!.turns.length);
  expect(await ask(question)).toEqual(answer);
  // The same policy, trained without a session around it.
  const experiment = await Experiment.open(tinySpec(), await host());
  while (experiment.position.iteration < trained + 1) await experiment.advance();
  const { spec, family, learners } = experiment;
  const learner = learners.find(({ algorithm }) => algorithm.name === "turn-ppo")!;
  const player = { model: learner.actor, world: family.world, context: spec.context };
  const rest = { sampling: spec.sampling };
  const turns = episode!.turns.map((turn) => ({
    ...{ observation: turn.observation, reward: turn.reward },
    responseIds: turn.tokens.map(({ id }) => id),
    queryIds: queryOf(family.world, turn.observation, episode!, turn),
  }));
  const played = [{ task: { name: episode!.task, seed: episode!.seed }, turns }];
  const truth = await trueValues({ ...player, ...rest }, played as never, {
    ...{ branches: 8, gamma: answer.gamma, key: { seed: spec.seed, iteration: trained } },
    firstDraw: firstDrawFor(player),
  });
  expect(answer.steps).toBe("turn");
  expect(answer.value.map((one) => one.mean)).toEqual(Array.from(truth.value.mean));
  expect(answer.advantage.map(({ low }) => low)).toEqual(Array.from(truth.advantage.low));
  // Each turn leads to the state before the next one, the last one to the episode's own end.
  const before = Array.from(truth.solved.before);
  const end = Number(episode!.success);
  expect(answer.solved).toEqual(before.map((share, h) => [share, before[h + 1] ?? end]));
  expect(Array.from(truth.solved.after).map((x) => (Number.isNaN(x) ? end : x))).toEqual(
    answer.solved.map((shares) => shares![1]),
  );
  experiment.dispose();
  await training.receive({ type: "stop" });
});

/** What nano's policy was asked in a turn of an episode. */
function queryOf(
  world: Experiment["family"]["world"],
  observation: string,
  { turns, seed }: EpisodeRecord,
  turn: EpisodeRecord["turns"][number],
): number[] {
  const environment = world.create(seed);
  let { info } = environment.reset(seed);
  for (const one of turns.slice(0, turns.indexOf(turn)))
    ({ info } = environment.step(
      world.prompter.answer(
        one.tokens.map(({ id }) => id),
        info,
      ),
    ));
  return world.prompter.query(observation, info, turns.indexOf(turn));
}

test("a fork without a change plays as the policy does; one as recorded as the record", async () => {
  const { training, heard, ask } = await pausedAfter(1);
  const episode = episodesOf(heard, "turn-ppo")[0]!;
  const same = (await ask(fork(episode, { response: episode.turns[0]!.text }))) as ForkAnswer;
  expect(same.played).toMatchObject({
    text: episode.turns[0]!.text,
    actions: episode.turns[0]!.actions,
    reward: episode.turns[0]!.reward,
  });
  for (const { returns } of [same.policy, same.recorded, same.forked])
    expect(returns).toHaveLength(8);
  // The same question has the same answer; what was said and what was recorded are one state, played once.
  expect(await ask(fork(episode, { response: episode.turns[0]!.text }))).toEqual(same);
  expect(same.forked.returns).toEqual(same.recorded.returns);
  const truth = (await ask({
    ...{ kind: "truth", algorithm: "turn-ppo", iteration: 1, episode, branches: 8 },
  })) as TruthAnswer;
  expect(mean(same.policy.returns)).toBeCloseTo(truth.value[0]!.mean, 9);
  // The same branches of the first turn and of what follows it: one quantity has one interval.
  expect(same.policy).toMatchObject({ mean: truth.value[0], advantage: null });
  expect(same.recorded.advantage).toEqual(truth.advantage[0]);
  const { mean: Q, low, high } = same.forked.mean;
  expect(Q).toBeCloseTo(mean(same.forked.returns), 9);
  expect(low).toBeLessThan(Q);
  expect(high).toBeGreaterThan(Q);
  // Each continuation is an episode, in the order of the returns.
  expect(same.kept).toHaveLength(8);
  same.kept.forEach((kept, branch) => {
    expect(kept).toMatchObject({ origin: "fork", branch, turn: 0 });
    const paid = kept.turns.reduceRight((later, { reward }) => reward + same.gamma * later, 0);
    expect(paid).toBeCloseTo(same.forked.returns[branch]!, 9);
    expect(kept.turns[0]!.tokens.map(({ id }) => id)).toEqual(
      episode.turns[0]!.tokens.map(({ id }) => id),
    );
  });
  await training.receive({ type: "stop" });
});

test("a state has one truth: of the episode, of a fork, and of one with fewer continuations", async () => {
  const { training, heard, ask } = await pausedAfter(1);
  const episode = longest(episodesOf(heard, "turn-ppo"));
  const about = { algorithm: "turn-ppo", iteration: 1, episode, branches: 8 } as const;
  const truth = (await ask({ kind: "truth", ...about })) as TruthAnswer;
  const turn = episode.turns.length - 2;
  expect(turn).toBeGreaterThan(0);
  const own = (await ask(fork(episode, { turn }))) as ForkAnswer;
  expect(own.policy.mean).toEqual(truth.value[turn]);
  expect(own.recorded.advantage).toEqual(truth.advantage[turn]);
  // The policy's own choice from the state as it was is that state again.
  expect(own.forked.returns).toEqual(own.policy.returns);
  expect(own.forked.advantage).toEqual({ mean: 0, low: 0, high: 0 });
  expect(own.kept).toHaveLength(8);
  const few = (await ask(fork(episode, { turn, branches: 5 }))) as ForkAnswer;
  for (const kind of ["policy", "recorded"] as const)
    expect(few[kind].returns).toEqual(own[kind].returns.slice(0, 5));
  await training.receive({ type: "stop" });
  // Draws of two states are not each other's.
  const service = await freshService();
  const { player } = askedLearner(service, "turn-ppo");
  const firsts = replay(player, episode).states.map(firstDrawFor(player));
  expect(new Set(firsts).size).toBe(episode.turns.length + 1);
  service.experiment.dispose();
});

test("the board can be changed: a box beside its target is soon home", async () => {
  const { training, heard, ask } = await pausedAfter(1);
  const episode = episodesOf(heard, "turn-ppo")[0]!;
  const rows = episode.turns[0]!.observation.split("\n");
  const open = (width: number) => `#${"_".repeat(width - 2)}#`;
  const board = rows.map((row, r) =>
    r === 0 || r === rows.length - 1 ? "#".repeat(row.length) : open(row.length),
  );
  board[1] = `#PXO${board[1]!.slice(4)}`;
  const text = board.join("\n");
  const answer = (await ask(fork(episode, { board: text, response: "Right" }))) as ForkAnswer;
  expect(answer.played).toMatchObject({ actions: ["Right"], over: true });
  expect(answer.played!.reward).toBeCloseTo(10.9, 9);
  expect(new Set(answer.forked.returns)).toEqual(new Set([answer.played!.reward]));
  expect(answer.kept).toHaveLength(1);
  expect(answer.kept[0]).toMatchObject({ success: true, terminated: true });
  expect(answer.kept[0]!.turns).toHaveLength(1);
  const bad = await ask(fork(episode, { board: text.replace("X", "_") }));
  expect(bad).toContain("boxes: 0");
  const small = await ask(fork(episode, { board: "###\n#P#\n###" }));
  expect(small).toContain("3 by 3, not");
  await training.receive({ type: "stop" });
});

test("a fork's values are those of its time, from every critic, and what updates make is absent", async () => {
  const { training, heard, ask } = await pausedAfter(1, { environment: { maxTurns: 5 } });
  const episode = longest(episodesOf(heard, "turn-ppo"));
  const answer = (await ask(
    fork(episode, { turn: 1, response: "Up", branches: 20 }),
  )) as ForkAnswer;
  expect(answer.trained).toBe(0);
  // One that was scored beside others has the same numbers before it leaves the record.
  expect(answer.kept).toHaveLength(20);
  const kept = answer.kept.at(-1)!;
  for (const h of [0, 1]) {
    expect(kept.turns[h]!.value).toBeCloseTo(episode.turns[h]!.value!, 4);
    const { critics } = kept.turns[h]!;
    expect(Object.keys(critics!)).toEqual(Object.keys(episode.turns[h]!.critics!));
    const first = (turn: typeof kept) => turn.turns[h]!.critics!["token-ppo"]![0]!;
    expect(first(kept)).toBeCloseTo(first(episode as typeof kept), 4);
  }
  const [turn] = kept.turns;
  expect(turn).toMatchObject({ ratio: NaN, advantage: NaN, return: null });
  expect(turn!.tokens[0]).toMatchObject({ logprob: NaN, advantage: NaN });
  expect(turn!.tokens[0]!.oldLogprob).toBeCloseTo(episode.turns[0]!.tokens[0]!.oldLogprob, 4);
  expect(kept.task).toBe(episode.task);
  await training.receive({ type: "stop" });
});

test("critics of a fork's time are made again one at a time, and not kept", async () => {
  const { experiment, ...rest } = await freshService();
  const made: string[] = [];
  const live = new Set<string>();
  let most = 0;
  const borrow = ({ algorithm: { name }, actor, separateCritic }: AnyLearner) => {
    made.push(name);
    live.add(name);
    most = Math.max(most, live.size);
    return Promise.resolve({ actor, separateCritic, dispose: () => void live.delete(name) });
  };
  const service = { experiment, ...rest, policies: { borrow } as unknown as Policies };
  const asked = askedLearner(service, "turn-ppo");
  const game = openGame(asked.player, { name: "goal", seed: 3 });
  playTurn(asked.player, game, await spoken(asked.player, "Up", game.state, SPOKEN));
  const many = Array.from({ length: 40 }, (_, b) => episodeOf(game, b));
  const scored = await scoreEpisodes(service, asked, many);
  expect(scored.map(({ critics }) => Object.keys(critics))).toEqual(
    many.map(() => ["token-ppo", "turn-ppo"]),
  );
  expect(made).toEqual(["token-ppo", "turn-ppo"]);
  expect([most, live.size]).toEqual([1, 0]);
  experiment.dispose();
});

test("the truth for a critic of tokens is discounted per token, as its returns are", async () => {
  const algorithms = [{ name: "token-ppo", set: { gamma: 0.95 } }];
  const { training, heard, ask } = await pausedAfter(1, { algorithms });
  const [episode] = episodesOf(heard, "token-ppo");
  const about = { algorithm: "token-ppo", iteration: 1, episode: episode!, branches: 8 };
  const answer = (await ask({ kind: "truth", ...about })) as TruthAnswer;
  expect(answer).toMatchObject({ gamma: 0.95, steps: "token" });
  // Of a turn's value and advantage together its reward and what follows, which is known of the last turn.
  episode!.turns.forEach(({ reward, tokens }, h) => {
    const Q = answer.value[h]!.mean + answer.advantage[h]!.mean;
    const next = answer.value[h + 1]?.mean ?? 0;
    const n = tokens.length;
    expect(n).toBeGreaterThan(1);
    expect(Q).toBeCloseTo(0.95 ** (n - 1) * reward + 0.95 ** n * next, 9);
  });
  await training.receive({ type: "stop" });
});

test("a fork's end is valued where training asks critics for it", async () => {
  const optimisation = { ...tinySpec().optimisation, bootstrapOnTruncation: true };
  const { training, heard, ask } = await pausedAfter(1, { optimisation });
  const episode = episodesOf(heard, "turn-ppo").find((one) => one.truncated)!;
  const last = episode.turns.length - 1;
  const { text } = episode.turns[last]!;
  const same = (await ask(fork(episode, { turn: last, response: text }))) as ForkAnswer;
  expect(same.kept).toHaveLength(1);
  expect(Object.keys(same.kept[0]!.finalValues!).sort()).toEqual(["token-ppo", "turn-ppo"]);
  for (const [name, V] of Object.entries(episode.finalValues!))
    expect(same.kept[0]!.finalValues![name]).toBeCloseTo(V, 4);
  const { kept } = (await ask(fork(episode, { branches: 64 }))) as ForkAnswer;
  expect(new Set(kept.map(({ truncated }) => truncated)).size).toBe(2);
  for (const { truncated, finalValues } of kept) expect(finalValues !== undefined).toBe(truncated);
  await training.receive({ type: "stop" });
});

test("a fork is forked again from its own board, and its truth is the oracle's there", async () => {
  const { training, heard, ask } = await pausedAfter(1);
  const episode = longest(episodesOf(heard, "turn-ppo"));
  const { observation } = episode.turns[1]!;
  const board = playerMoved(observation);
  const { kept: all } = (await ask(fork(episode, { turn: 1, board }))) as ForkAnswer;
  const kept = all[0]!;
  expect(kept).toMatchObject({ turn: 1, boards: [1] });
  expect(kept.turns[1]!.observation).toBe(board);
  const again = (await ask(fork(kept, { turn: 1, response: "Up" }))) as ForkAnswer;
  expect(again.kept[0]!.boards).toEqual([1]);
  expect(again.kept[0]!.turns[1]!.observation).toBe(board);
  expect(again.recorded.returns).toHaveLength(8);
  const about = { algorithm: "turn-ppo", iteration: 1, episode: kept } as const;
  expect(await ask({ kind: "values", ...about, turn: 1 })).toMatchObject({ kind: "values" });
  const truth = (await ask({ kind: "truth", ...about, branches: 8 })) as TruthAnswer;
  await training.receive({ type: "stop" });
  // The same states with the same draws, before any session: those before turns, then where the first turn led.
  const service = await freshService();
  const { player, discount } = askedLearner(service, "turn-ppo");
  const stateOf = (one: EpisodeRecord, turn: number) => replay(player, one, turn).game.state;
  const before = kept.turns.map((_, h) => stateOf(kept, h));
  const led = stateOf(episode, 1);
  expect([before[1]!.observation, led.observation]).toEqual([board, observation]);
  const key = { seed: service.experiment.spec.seed, iteration: 0 };
  const draws = { key, firstDraw: firstDrawFor(player) };
  const states = [...before, led];
  const returns = await branchReturns(player, states, { branches: 8, ...discount, ...draws });
  const V = returns.map((one) => mean(one));
  expect(truth.value.map((one) => one.mean)).toEqual(V.slice(0, -1));
  const Q = (h: number, next: number) => kept.turns[h]!.reward + discount.gamma * next;
  expect(truth.advantage[0]!.mean).toBeCloseTo(Q(0, V.at(-1)!) - V[0]!, 9);
  expect(truth.advantage[1]!.mean).toBeCloseTo(Q(1, kept.turns[2] ? V[2]! : 0) - V[1]!, 9);
  service.experiment.dispose();
});

test("what a fork's turns gained is told where a method asks it, and not across a change by hand", async () => {
  const algorithms = [{ name: "a2tgpo" as const, set: {} }];
  const { training, heard, ask } = await pausedAfter(1, { algorithms });
  const episode = longest(episodesOf(heard, "a2tgpo"));
  expect(episode.turns.some(({ gain }) => gain !== 0)).toBe(true);
  const last = episode.turns.length - 1;
  const about = { algorithm: "a2tgpo", turn: last };
  const again = (await ask(
    fork(episode, { ...about, response: episode.turns[last]!.text }),
  )) as ForkAnswer;
  const gains = ({ turns }: EpisodeRecord) => turns.map(({ gain }) => gain!);
  const same = again.kept.find(({ turns }) => turns.length === episode.turns.length)!;
  gains(episode).forEach((gain, h) => expect(gains(same)[h]).toBeCloseTo(gain, 5));
  const board = playerMoved(episode.turns[last]!.observation);
  const changed = (await ask(fork(episode, { ...about, board }))) as ForkAnswer;
  expect(changed.kept.length).toBeGreaterThan(0);
  expect(changed.kept.flatMap(gains).every((gain) => gain === undefined)).toBe(true);
  await training.receive({ type: "stop" });
});

/** The same board with the player on another free square. */
function playerMoved(observation: string): string {
  const [player, free] = [observation.search(/[PS]/), observation.search("_")];
  const moved = [...observation];
  moved[player] = moved[player] === "S" ? "O" : "_";
  moved[free] = "P";
  return moved.join("");
}

/** What services work with, in a run that has trained nothing. */
async function freshService() {
  const experiment = await Experiment.open(tinySpec(), await host());
  return { experiment, progress: () => undefined, gate: () => Promise.resolve() };
}

const longest = (episodes: EpisodeRecord[]) =>
  episodes.reduce((most, one) => (one.turns.length > most.turns.length ? one : most));

test("move chances are the policy's, and add up with what else it might say", async () => {
  const { training, ask } = await pausedAfter(0);
  const question = { kind: "play", algorithm: "turn-ppo", seed: 77, said: [] } as const;
  const first = (await ask({ ...question, take: false, draw: 0 })) as PlayAnswer;
  expect(first.moves.map(({ action }) => action)).toEqual(["Up", "Down", "Left", "Right"]);
  const sum = first.moves.reduce((total, { probability }) => total + probability, 0);
  expect(sum).toBeGreaterThan(0.5);
  expect(sum).toBeLessThanOrEqual(1 + 1e-6);
  expect(Object.keys(first.values).sort()).toEqual(["token-ppo", "turn-ppo"]);
  const counts = new Map<string, number>();
  for (let draw = 0; draw < 200; draw++) {
    const { turns } = (await ask({ ...question, take: true, draw })) as PlayAnswer;
    const move = turns[0]!.text.split(" ")[0]!;
    counts.set(move, (counts.get(move) ?? 0) + 1);
  }
  for (const { action, probability } of first.moves) {
    const spread = Math.sqrt((probability * (1 - probability)) / 200);
    expect(Math.abs((counts.get(action) ?? 0) / 200 - probability)).toBeLessThan(4 * spread + 0.01);
  }
  await training.receive({ type: "stop" });
});

test("a game goes on where it was left, taken over and handed back", async () => {
  const { training, ask } = await pausedAfter(0);
  const question = { kind: "play", algorithm: "turn-ppo", seed: 77, draw: 0 } as const;
  const taken = (await ask({ ...question, said: [{ text: "Up" }], take: true })) as PlayAnswer;
  expect(taken.turns).toHaveLength(2);
  expect(taken.turns[0]!.text).toBe("Up");
  const said = [{ text: "Up" }, taken.taken!];
  const back = (await ask({ ...question, said, take: false })) as PlayAnswer;
  expect(back).toEqual({ ...taken, taken: null });
  await training.receive({ type: "stop" });
});

test("the shop is played by clicks and a search of one's own", async () => {
  const { training, ask } = await pausedAfter(0, {
    preset: "webshop-class",
    model: { warmStart: "none" },
  });
  const question = { kind: "play", algorithm: "turn-ppo", seed: 3, draw: 0, take: false } as const;
  const first = (await ask({ ...question, said: [] })) as PlayAnswer;
  expect(first).toMatchObject({ kind: "play", search: true, moves: [] });
  const found = (await ask({ ...question, said: [{ text: "search[red shoes]" }] })) as PlayAnswer;
  expect(found.turns).toHaveLength(1);
  expect(found.moves.some(({ action }) => action === "click[back to search]")).toBe(true);
  // What a page's elements are clicked by is what the policy is asked about.
  const page = standingOf(presetSpec("webshop-class").environment as WebShopSpec, {
    ...{ seed: 3, turns: found.turns, seen: found.observation },
  })!;
  const clicks = actionList(pageNodes(page.page, page.shop));
  expect(found.moves.map(({ action }) => action).sort()).toEqual(clicks.sort());
  await training.receive({ type: "stop" });
});

test("questions in the midst of training change none of its numbers", async () => {
  const { training, heard, next, ask } = session();
  const first = next((message) => message.type === "events");
  const finished = next(isState("finished"));
  await training.receive({ type: "start", spec: tinySpec(), paused: false });
  await first;
  const began = performance.now();
  let answered = 0;
  const play = { kind: "play", algorithm: "turn-ppo", seed: 5, said: [], take: true } as const;
  while (!heard.some(isState("finished")) && performance.now() - began < 60_000) {
    const answer = await ask({ ...play, draw: answered });
    if (typeof answer !== "string") answered++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await finished;
  expect(answered).toBeGreaterThan(5);
  const { fingerprint } = await runSpec(tinySpec());
  expect(heard).toContainEqual({ type: "fingerprint", fingerprint });
  // The models are still there.
  const episode = episodesOf(heard, "grpo")[0]!;
  expect(await ask(fork(episode, { algorithm: "grpo" }))).toMatchObject({ trained: 0 });
  const later = fork(episode, { algorithm: "grpo", iteration: 3 });
  expect(await ask(later)).toMatchObject({ trained: 2 });
  await training.receive({ type: "stop" });
  expect(await ask({ ...play, draw: 0 })).toBe(NOBODY);
});

test("a question can be withdrawn, and bad ones are refused in a sentence", async () => {
  const { training, heard, next, ask } = await pausedAfter(1);
  const episode = episodesOf(heard, "turn-ppo")[0]!;
  const refused = next(({ type }) => type === "refused");
  const question: Question = {
    ...{ kind: "truth", algorithm: "turn-ppo", iteration: 1, episode, branches: 512 },
  };
  await training.receive({ type: "ask", id: 900, question });
  await new Promise((resolve) => setTimeout(resolve, 30));
  await training.receive({ type: "withdraw", id: 900 });
  await refused;
  expect(heard.at(-1)).toEqual({
    ...{ type: "refused", id: 900, message: "The question was cancelled." },
  });
  expect(await ask(fork(episode, { algorithm: "rloo" }))).toContain("does not train rloo");
  expect(await ask(fork(episode, { branches: 1 }))).toContain("branches is 1");
  expect(await ask(fork({ ...episode, seed: episode.seed + 1 }))).toContain("another environment");
  expect(await ask(fork(episode, { turn: 99 }))).toContain("no turn 100");
  // The run is none the worse for it.
  const finished = next(isState("finished"));
  await training.receive({ type: "resume" });
  await finished;
  await training.receive({ type: "stop" });
});

test("a fork in the shop clicks something else, and goes on from there", async () => {
  const { training, ask } = await pausedAfter(0, {
    preset: "webshop-class",
    model: { warmStart: "none" },
  });
  const texts = [{ text: "search[red shoes]" }, { text: "click[back to search]" }];
  const play = { kind: "play", algorithm: "turn-ppo", seed: 3, draw: 0, take: false } as const;
  const found = (await ask({ ...play, said: texts.slice(0, 1) })) as PlayAnswer;
  const product = found.moves.find(({ action }) => /^click\[b0/.test(action))!.action;
  const episode = await shopEpisode(texts);
  const other = (await ask(fork(episode, { turn: 1, response: product }))) as ForkAnswer;
  expect(other.played).toMatchObject({ actions: [product], over: false });
  expect(other.kept[0]!.turns[1]!.actions).toEqual([product]);
  expect(other.kept[0]!.turns[0]!.text).toBe(episode.turns[0]!.text);
  await training.receive({ type: "stop" });
});

/** Where the draws of typed thoughts come from. */
const SPOKEN = { seed: 1, iteration: 0 };

/** What those texts make of the class's shop, as a log tells it. */
async function shopEpisode(texts: { text: string }[]): Promise<EpisodeRecord> {
  const spec = tinySpec({ preset: "webshop-class", model: { warmStart: "none" } });
  const experiment = await Experiment.open(spec, await host());
  const service = { experiment, progress: () => undefined, gate: () => Promise.resolve() };
  const { player } = askedLearner(service, "turn-ppo");
  const game = openGame(player, { name: "goal", seed: 3 });
  for (const { text } of texts)
    playTurn(player, game, await spoken(player, text, game.state, SPOKEN));
  experiment.dispose();
  const turns = game.turns.map(({ responseIds, ...turn }) => ({
    ...turn,
    ...{ value: null, advantage: 0, return: null, ratio: 1, clipped: false },
    tokens: responseIds.map((id) => ({ id, text: "" })),
  }));
  return { trajectory: 0, task: "goal", seed: 3, turns } as unknown as EpisodeRecord;
}
