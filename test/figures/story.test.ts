/** The story of the recorded run as a figure: who fell and why, and where each step of the evidence leads. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import type { Block, ChoicesBlock, FigureInput } from "../../src/figures/figure.ts";
import { STORY_STEPS } from "../../src/figures/story/manifest.ts";
import { storyPanel } from "../../src/figures/story/story.ts";
import { onsetOf } from "../../src/figures/story/onset.ts";
import { words } from "../../src/figures/story/words.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import { RunLog, viewOf, type RunView } from "../../src/reading/log/runLog.ts";
import type { Story } from "../../src/reading/story/story.ts";
import { storyNeeds, toldStories } from "../../src/reading/story/told.ts";
import { bookAddressOf } from "../../src/app/book/bookAddress.ts";
import { typedCells } from "../../src/notebook/cell.ts";
import { readFields } from "../../src/notebook/cellFields.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { planSweepCell } from "../../src/notebook/cells/sweep/plan.ts";
import { parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { notebookFromWord } from "../../src/notebook/sharedText.ts";
import { specAlgorithms } from "../../src/spec/experiment.ts";
import { isPanel } from "../../src/store/lens.ts";
import { LATEST, resolveChoice, type TurnChoice } from "../../src/store/turnChoice.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { falls, logOfEvents, plantedEvents } from "../fixtures/plantedLog.ts";

type Input = FigureInput<(typeof storyPanel)["panel"]["settings"]>;
type Cause = Input["set"]["cause"];

let log: RunLog;
beforeAll(async () => {
  const at = (name: string) => new URL(`../../public/runs/nano/${name}`, import.meta.url);
  const bytes = (name: string) => Promise.resolve(new Uint8Array(readFileSync(at(name))));
  log = (await readColumnar(readFileSync(at("recording.json"), "utf8"), bytes)).log;
  await whole(log);
});

/** Told again until every episode that it asks for has been read. */
async function whole(of: RunLog): Promise<Story[]> {
  for (;;) {
    const stories = runWhole(toldStories(of));
    if (!of.isReadingSome) return stories;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function shown(
  choice: Partial<TurnChoice>,
  cause: Cause = "likeliest",
  view = viewOf(log, "recorded"),
) {
  const at = resolveChoice(view.log, { ...LATEST, ...choice });
  const seen = { view, at, set: { cause } } as Input;
  return storyPanel.figure(seen, runWhole(storyPanel.reads!.work(seen, () => {})));
}

const textIn = (all: readonly Block[], id: string) => {
  const found = all.find((block) => block.kind === "text" && block.id === id);
  if (found?.kind !== "text") throw new Error(`There is no text ${id}.`);
  return found;
};

function choicesIn(all: readonly Block[]): [causes: ChoicesBlock, path: ChoicesBlock] {
  const [causes, path] = all.filter((block) => block.kind === "choices");
  return [causes!, path!];
}

/** Where a step of the path leads. */
function stepOf(all: readonly Block[], step: number) {
  const go = choicesIn(all)[1].go!.buttons[step]!;
  if (!("to" in go)) throw new Error("It does not move the cursor.");
  return go;
}

it("has a sentence and the last value of every method, and leads to each", () => {
  const [grid] = shown({ algorithm: "grpo" });
  if (grid?.kind !== "grid") throw new Error("There is no table.");
  expect(grid.count).toBe(3);
  expect(grid.current).toBe(0);
  expect(grid.row(0)).toMatchObject({ id: "grpo", name: "GRPO" });
  expect(grid.row(0).says).toMatch(/^Fell from iteration 12: .* at 100\.$/);
  expect(grid.row(0).cells[0]).toMatchObject({
    text: expect.stringMatching(/^23\.8\s%$/) as string,
  });
  expect(grid.row(2).says).toBe("Learned.");
  expect(grid.go!(2)).toEqual({ algorithm: "turn-ppo" });
});

it("opens the likeliest cause, or the chosen one, and the next one is a button away", () => {
  const all = shown({ algorithm: "grpo" });
  const [causes] = choicesIn(all);
  const [choice] = causes.choices;
  if (choice?.look !== "dial") throw new Error("There is no choice.");
  expect(choice.label).toBe("Why GRPO fell");
  const names = choice.options.map(({ value }) => value);
  expect(names).toEqual(["silent-groups", "cheap-failures"]);
  expect(choice.options[0]!.name).toBe("Groups fall silent · 0.80");
  expect(choice.value).toBe("silent-groups");
  expect(causes.go!.buttons).toMatchObject([{ choose: { cause: "cheap-failures" } }]);
  const other = choicesIn(shown({ algorithm: "grpo" }, "cheap-failures"))[0];
  expect(other.choices).toMatchObject([{ value: "cheap-failures" }]);
  expect(other.go!.buttons).toMatchObject([{ choose: { cause: "echo-trap" } }]);
  const third = choicesIn(shown({ algorithm: "grpo" }, "echo-trap"))[0];
  expect(third.choices).toMatchObject([{ value: "echo-trap", options: [{}, {}, {}] }]);
});

it("the evidence is a path: curve, group, episode, turn, formula, each at its panel", () => {
  const all = shown({ algorithm: "grpo" }, "cheap-failures");
  const place = { algorithm: "grpo", iteration: 10 };
  // Group 4 has the episodes 25 to 32; the cheapest failure is the last of them.
  const targets = [
    place,
    { ...place, episode: 24, turn: 0, token: null },
    ...[1, 2, 3].map(() => ({ ...place, episode: 31, turn: 0, token: null })),
  ];
  targets.forEach((to, i) => expect(stepOf(all, i).to).toEqual(to));
  STORY_STEPS.forEach(([, panel], i) => {
    expect(stepOf(all, i).show).toBe(panel);
    expect(isPanel({ table: manifests }, panel)).toBe(true);
  });
  const actions = choicesIn(all)[1].go!.buttons.map(({ action }) => action);
  expect(storyPanel.panel.keys.map(({ id }) => id)).toEqual([...actions, "nextCause"]);
  const there = shown(targets[1]!, "cheap-failures");
  expect(stepOf(there, 1).pressed).toBe(true);
  expect(stepOf(there, 2).pressed).toBe(false);
});

it("says what speaks against the cause, what is not measured, and the test with its cost", () => {
  const all = shown({ algorithm: "grpo" }, "cheap-failures");
  expect(textIn(all, "story-because").text).toMatch(
    /is credited \+1\.620 \(iteration 10\)\. Actions/,
  );
  expect(textIn(all, "story-against").text).toMatch(
    /^Held-out success was 18\.0\s% at iteration 10/,
  );
  expect(textIn(all, "story-missing").text).toMatch(/: would take a reference model/);
  const test = textIn(all, "story-test");
  expect(test.text).toBe("Train again with grpo.std = none.");
  expect(test.more).toMatch(/^\(as it is and changed, 3 seeds: 240 iterations/);
  // A notebook: the method alone, and both settings over new seeds.
  const address = bookAddressOf(test.link!.href);
  const { notebook, remarks } = parseNotebook(notebookFromWord((address as { word: string }).word));
  expect(remarks).toEqual([]);
  expect(serialiseNotebook(notebook)).toContain("and with none.");
  const [run, sweep] = typedCells(notebook.cells);
  const { spec } = readExperiment(run!.body);
  expect(spec.algorithms.map(({ name }) => name)).toEqual(["grpo"]);
  expect(spec.optimisation.iterations).toBe(40);
  const fields = readFields("sweep", sweep!.body).value!;
  expect(fields.cause).toBe("cheap-failures");
  const { settings, problems } = planSweepCell(spec, fields);
  expect(problems).toEqual([]);
  expect(settings.map(({ runs }) => runs.map(({ seed }) => seed))).toEqual(
    Array(2).fill([1, 2, 3].map((more) => spec.seed + more)),
  );
  const std = settings.map(({ runs }) => specAlgorithms(runs[0]!.spec)[0]!.std);
  expect(std).toEqual([specAlgorithms(spec)[0]!.std, "none"]);
});

it("says so where no cause is told, without settings, and without a run", () => {
  const quiet = shown({ algorithm: "turn-ppo" });
  expect(quiet).toContainEqual(expect.objectContaining({ text: words.none }));
  const crash = { heldOut: falls, train: () => ({ "actor/entropy": 0.05 }) };
  const bare = plantedEvents(crash).filter(({ type }) => type !== "start");
  const view = viewOf(logOfEvents(bare), "imported");
  const all = shown({}, "likeliest", view);
  const test = textIn(all, "story-test");
  expect([test.link, test.more]).toEqual([undefined, words.byHand]);
  // It has no episodes either.
  expect(stepOf(all, 1)).toMatchObject({ disabled: true, hint: words.unshown });
  const silent = { heldOut: () => 0.3, train: () => ({ frac_reward_zero_std: 0.65 }) };
  const kept = viewOf(logOfEvents(plantedEvents({ algorithm: "grpo", ...silent })), "recorded");
  const noted = textIn(shown({}, "likeliest", kept), "story-noted");
  expect(noted).toMatchObject({ title: words.noted.title });
  expect(noted.text).toBe("Groups fall silent, from iteration 20.");
  const none = viewOf(new RunLog(), "none");
  expect(shown({}, "likeliest", none)).toMatchObject([{ text: words.empty }]);
});

it("marks the onset on the curves of the cursor's method", () => {
  const stories = runWhole(toldStories(log));
  expect(onsetOf(stories, "grpo")).toEqual({
    at: 12,
    between: [11, 18],
    isBad: true,
    says: "GRPO: onset 12, between 11 and 18",
  });
  const says = "Turn-PPO: change 20, between 10 and 20";
  expect(onsetOf(stories, "turn-ppo")).toMatchObject({ isBad: false, says });
  expect(onsetOf(stories, "dpo")).toBeNull();
});

it("is told once for a length of the log, and of a live run every fifth iteration", async () => {
  const events = plantedEvents({ heldOut: falls });
  const grown = logOfEvents(events.slice(0, 30));
  let next = 30;
  while (grown.finishedIterations % 5 !== 0) grown.append(events[next++]!);
  const told = await whole(grown);
  expect(runWhole(toldStories(grown))).toBe(told);
  const needs = (origin: RunView["origin"]) => storyNeeds(viewOf(grown, origin));
  const [live, recorded] = [needs("live"), needs("recorded")];
  const before = grown.finishedIterations;
  while (grown.finishedIterations === before) grown.append(events[next++]!);
  expect(needs("live")).toEqual(live);
  expect(needs("recorded")).not.toEqual(recorded);
  expect(runWhole(toldStories(grown))).not.toBe(told);
  while (grown.finishedIterations < before + 5) grown.append(events[next++]!);
  expect(needs("live")).not.toEqual(live);
});
