import { expect, test } from "vitest";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { decodeCheckpoint } from "../../src/train/checkpoint.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "./support.ts";

const spec = tinySpec({
  algorithms: [{ name: "turn-ppo", set: {} }],
  critic: { warmup: 1, epochs: 1 },
  evaluation: { levels: 0 },
  optimisation: { iterations: 5, tasksPerIteration: 2, groupSize: 4, minibatch: 2, epochs: 1 },
  plants: [
    { at: 3, set: { "optimisation.tasksPerIteration": 1, "sampling.maxTokensPerTurn": 1 } },
    { at: 4, set: { "critic.warmup": 4, "optimisation.actorLr": 0 } },
  ],
  recordEpisodes: 8,
});

test("plants change what an iteration plays and learns, from theirs on", async () => {
  const { events } = await runSpec(spec);
  const iterations = ofType(events, "iteration");
  expect(iterations.map(({ episodes }) => episodes.length)).toEqual([8, 8, 4, 4, 4]);
  const longest = iterations.map(({ episodes }) =>
    Math.max(...episodes.flatMap(({ turns }) => turns.map(({ tokens }) => tokens.length))),
  );
  expect(longest[1]).toBeGreaterThan(1);
  expect(longest.slice(2)).toEqual([1, 1, 1]);
  // A critic's warm-up that is planted later keeps the policy waiting again.
  expect(iterations.map(({ warmup }) => warmup)).toEqual([true, false, false, true, false]);
});

test("a run that is stopped around its plants ends as if it had not been", async () => {
  const whole = await runSpec(spec);
  const first = await Experiment.open(spec, await host());
  const events: RunEvent[] = [];
  while (first.position.iteration < 3) events.push(...(await first.advance()));
  const saved = await decodeCheckpoint(await first.save());
  first.dispose();
  const second = await Experiment.open(spec, await host(), saved);
  events.push(...(await runToEnd(second)));
  second.dispose();
  expect(events.map(({ chain }) => chain)).toEqual(whole.events.map(({ chain }) => chain));
});
