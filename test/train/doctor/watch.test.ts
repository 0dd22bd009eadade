import { expect, test } from "vitest";
import { decodeCheckpoint } from "../../../src/train/checkpoint.ts";
import { diagnose } from "../../../src/train/doctor/doctor.ts";
import { Experiment } from "../../../src/train/experiment.ts";
import type { RunEvent } from "../../../src/record/runEvent.ts";
import { host, ofType, runSpec, runToEnd, tinySpec } from "../support.ts";

/** Four healthy iterations, then an actor thrown off by its learning rate. */
const thrown = (doctor: object) =>
  tinySpec({
    algorithms: [{ name: "grpo", set: {} }],
    optimisation: {
      ...{ iterations: 7, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
      ...{ actorLr: 1e-4, actorLrWarmup: 0 },
    },
    schedule: { from: 5, actorLr: 0.05 },
    evaluation: { levels: 0 },
    recordEpisodes: 0,
    doctor: { crossScoreEvery: 0, ...doctor },
  });

/** Advances until an alarm or the end. */
async function runToAlarm(experiment: Experiment): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  while (!experiment.finished && !experiment.alarm) events.push(...(await experiment.advance()));
  return events;
}

test("findings are events of the run, the same that the doctor makes of its log", async () => {
  const { events } = await runSpec(thrown({}));
  const told = ofType(events, "finding").map(
    ({ type: _type, chain: _chain, time: _time, ...finding }) => finding,
  );
  expect(told.map(({ detector }) => detector)).toContain("ratio-blow-up");
  expect(told).toEqual(diagnose(events).findings);
  const at = events.findIndex(({ type }) => type === "finding");
  expect(events[at - 1]).toMatchObject({ type: "iteration", iteration: told[0]!.iteration });
});

test("a doctor that is off says nothing and changes nothing", async () => {
  const [off, on] = [await runSpec(thrown({ on: false })), await runSpec(thrown({}))];
  expect(ofType(off.events, "finding")).toEqual([]);
  const metrics = ({ events }: typeof off) => ofType(events, "iteration").map((e) => e.metrics);
  expect(metrics(off)).toEqual(metrics(on));
});

test("where it may pause, the run stops at the finding with the checkpoint from before the fall; resumed, it ends as if it had not stopped", async () => {
  const spec = thrown({ pause: true, keepEvery: 2 });
  const whole = await runSpec(spec);
  const experiment = await Experiment.open(spec, await host());
  const before = await runToAlarm(experiment);
  const { finding, beforeFall } = experiment.alarm!;
  expect(finding.firstBad).toBeGreaterThanOrEqual(5);
  expect(beforeFall!.iteration).toBe(4);
  experiment.acknowledge();
  expect(experiment.alarm).toBeNull();
  const after = await runToEnd(experiment);
  experiment.dispose();
  expect([...before, ...after].map(({ chain }) => chain)).toEqual(
    whole.events.map(({ chain }) => chain),
  );
  const saved = await decodeCheckpoint(beforeFall!.bytes);
  expect(saved.position.iteration).toBe(5);
  const again = await Experiment.open(spec, await host(), saved);
  const replayed = [...(await runToAlarm(again))];
  again.dispose();
  expect(replayed.at(-1)!.chain).toBe(before.at(-1)!.chain);
});

test("a run saved between two bad iterations and opened again finds what it would have found", async () => {
  const spec = thrown({});
  const whole = await runSpec(spec);
  const first = await Experiment.open(spec, await host());
  const events: RunEvent[] = [];
  while (first.position.iteration < 6) events.push(...(await first.advance()));
  const saved = await decodeCheckpoint(await first.save());
  first.dispose();
  const second = await Experiment.open(spec, await host(), saved);
  events.push(...(await runToEnd(second)));
  second.dispose();
  expect(events.map(({ chain }) => chain)).toEqual(whole.events.map(({ chain }) => chain));
});

test("a weight gone infinite is a finding in the crash's own words", async () => {
  const spec = thrown({});
  const experiment = await Experiment.open(spec, await host());
  await experiment.advance();
  const { actor } = experiment.learners[0]! as {
    actor: {
      readWeights(): Promise<Map<string, { data: Float32Array }>>;
      writeWeights(weights: unknown): Promise<void>;
    };
  };
  const weights = await actor.readWeights();
  weights.get("model.norm.weight")!.data[0] = Number.POSITIVE_INFINITY;
  await actor.writeWeights(weights);
  const events = await runToEnd(experiment);
  experiment.dispose();
  const [crash] = ofType(events, "crash");
  expect(ofType(events, "finding")).toMatchObject([
    { detector: "not-finite", iteration: 1, firstBad: 1, evidence: [{ metric: crash!.cause }] },
  ]);
});
