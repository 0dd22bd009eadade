/** Runs whose log counts responses at the token limit: recorded ones show whether they were cut off. */
import { expect, test } from "vitest";
import type { EpisodeRecord, IterationEvent, RunEvent } from "../../src/record/runEvent.ts";
import { soundFindings } from "../../src/reading/cutOff.ts";
import { allFindings, LogDoctor } from "../../src/reading/diagnosis.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { Doctor, diagnose } from "../../src/train/doctor/doctor.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const LIMIT = 6;

/** Each recorded response is at the limit; its last token is `last`. */
function runWith(last: string): RunEvent[] {
  const spec = presetSpec("nano");
  expect(spec.sampling.maxTokensPerTurn).toBe(LIMIT);
  return syntheticRun(spec).map((event) => {
    if (event.type !== "iteration") return event;
    const metrics = { ...event.metrics, "response_length/clip_ratio": 0.8 };
    return { ...event, metrics, episodes: event.episodes.map((one) => spoken(one, last)) };
  });
}

function spoken(episode: EpisodeRecord, last: string): EpisodeRecord {
  const turns = episode.turns.map((turn) => {
    const tokens = Array.from({ length: LIMIT }, (_, i) => ({
      ...turn.tokens[0]!,
      text: i < LIMIT - 1 ? "Up" : last,
    }));
    return { ...turn, tokens };
  });
  return { ...episode, turns };
}

const logOf = (events: readonly RunEvent[]) => {
  const log = new RunLog();
  for (const event of events) log.append(event);
  return log;
};

const lengthFindings = (findings: readonly { detector: string }[]) =>
  findings.filter(({ detector }) => detector === "length-explosion").length > 0;

test.each([
  ["<|im_end|>", false],
  ["Up", true],
])("responses at the limit whose last token is %s: a length explosion is %s", (last, sick) => {
  const events = runWith(last);
  expect(lengthFindings(diagnose(events).findings)).toBe(sick);
  const log = logOf(events);
  const doctor = new LogDoctor(log);
  doctor.advance(Infinity);
  expect(lengthFindings(doctor.diagnosis.findings)).toBe(sick);
  // What such a run, made before revision 2, has found itself is part of its fingerprint, and shown unless it is refuted.
  const live = new Doctor();
  const own = events.flatMap((event) => live.observe(event));
  expect(lengthFindings(own)).toBe(true);
  for (const finding of own)
    log.append({ type: "finding", ...finding, chain: "", time: { at: "" } });
  expect(lengthFindings(soundFindings(log))).toBe(sick);
  expect(lengthFindings(allFindings(log, doctor.diagnosis.findings))).toBe(sick);
});

test("where no response is recorded the number at the limit is all there is", () => {
  const events = runWith("<|im_end|>").map((event) =>
    event.type === "iteration" ? ({ ...event, episodes: [] } satisfies IterationEvent) : event,
  );
  expect(lengthFindings(diagnose(events).findings)).toBe(true);
});
