// @vitest-environment happy-dom
/** What panels say of runs that lack something, or have too much of it. */
import { act, fireEvent, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { words as groupWords } from "../../src/figures/group/words.ts";
import type { PanelId } from "../../src/panels/manifests.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../src/record/runEvent.ts";
import { creditRecording, GROUP } from "../fixtures/creditRun.ts";
import { sickEvents, sickRecording } from "../fixtures/sickRun.ts";
import { tokenRecording } from "../fixtures/tokenRun.ts";
import { showText } from "../stories/experimentOf.ts";
import { panelInDom, usesPanels } from "./inDom.tsx";

usesPanels();

/** Words that only a program would say. */
const PROGRAM_WORDS = /NaN|undefined|null|Infinity|\[object/;

/** The panel, once it says the sentence. */
async function saying(id: PanelId, text: string, at: string | undefined, sentence: RegExp) {
  const shown = await panelInDom(id, text, at);
  await waitFor(() => expect(shown.panel.textContent).toMatch(sentence));
  expect(shown.panel.textContent).not.toMatch(PROGRAM_WORDS);
  return shown;
}

type Turns = readonly TurnRecord[];
type Change = (turns: Turns) => unknown[];

/** With other turns in every episode; what no log should have, a file may have all the same. */
const withTurns = (change: Change) => (episode: EpisodeRecord) =>
  ({ ...episode, turns: change(episode.turns) }) as EpisodeRecord;
const each = (change: (turn: TurnRecord) => object) => (turns: Turns) => turns.map(change);

const WITHOUT_CRITICS = each(({ critics: _, ...turn }) => turn);
const WITHOUT_TOKENS = each((turn) => ({ ...turn, tokens: [] }));
const HUGE = each((turn) => ({ ...turn, reward: 1e90 }));

function withoutEpisodes(): string {
  const lines = tokenRecording().trimEnd().split("\n");
  return lines.map((line) => JSON.stringify({ ...JSON.parse(line), episodes: [] })).join("\n");
}

describe("the formula panel", () => {
  const AT = "turn-ppo,2,4,2";
  it.each<[string, Change, RegExp]>([
    [
      "without critics",
      each(({ critics: _, ...turn }) => ({ ...turn, value: null })),
      /needs a value for each turn/,
    ],
    ["without tokens", WITHOUT_TOKENS, /needs tokens, and this log has none/],
    [
      "with a turn of no tokens",
      (turns) => turns.map((turn, h) => (h === 1 ? { ...turn, tokens: [] } : turn)),
      /This turn has no recorded tokens/,
    ],
    [
      "without log-probabilities",
      each((turn) => ({ ...turn, tokens: turn.tokens.map(({ logprob: _, ...one }) => one) })),
      /Token log-probabilities are not recorded/,
    ],
    ["without turns", () => [], /has no turns/],
  ])("survives a run %s", async (_, change, sentence) => {
    await saying("formula", tokenRecording({ change: withTurns(change) }), AT, sentence);
  });

  it("survives huge numbers, and a run that recorded none", async () => {
    const change = withTurns((turns) => HUGE(turns.slice(0, 1)));
    const { panel } = await saying("formula", tokenRecording({ change }), AT, /Turn 1/);
    const reward = panel.querySelector("tr[data-binding='turn.reward'] [data-value]")!;
    expect(Number(reward.getAttribute("data-value"))).toBe(1e90);
  });

  it("says so where no iteration is finished", async () => {
    const begun = tokenRecording().trimEnd().split("\n").slice(0, 3).join("\n");
    await saying("formula", begun, undefined, /no finished iteration/);
  });

  it("says what training used where the log does not tell its normalisation", async () => {
    const { panel } = await panelInDom("formula", tokenRecording(), AT);
    const trained = await within(panel).findByTestId("formula-trained");
    expect(trained.textContent).toMatch(/Training used .* \(over all episodes of the iteration\)/);
  });
});

describe("the credits panel", () => {
  const AT = "turn-ppo,2,4,2";
  it.each<[string, (one: EpisodeRecord) => EpisodeRecord, RegExp]>([
    ["without critics", withTurns(WITHOUT_CRITICS), /needs a value for each token/],
    ["without tokens", withTurns(WITHOUT_TOKENS), /needs tokens, and this log has none/],
    [
      "without critics and tokens",
      withTurns(each(({ critics: _, ...turn }) => ({ ...turn, tokens: [] }))),
      /token-PPO needs tokens, and this log has none/,
    ],
    [
      "with numbers that are not finite",
      // Which a log writes as null.
      withTurns(each((turn) => ({ ...turn, advantage: null, critics: { "turn-ppo": [] } }))),
      /not a number/,
    ],
    ["with huge numbers", withTurns(HUGE), /1\.00e\+90/],
    ["without turns", withTurns(() => []), /has no turns/],
    [
      "without groups",
      (one) => ({ ...one, task: `its own ${one.trajectory}` }),
      /GRPO compares the rollouts of one task/,
    ],
  ])("survives a run %s", async (_, change, sentence) => {
    const { panel } = await saying("credits", tokenRecording({ change }), AT, sentence);
    expect(panel.textContent).not.toContain("trajectories[");
  });

  it("leads to the episodes of a method that plays groups", async () => {
    const change = (one: EpisodeRecord) => ({ ...one, task: `its own ${one.trajectory}` });
    const shown = await saying("credits", tokenRecording({ change }), AT, /To GRPO’s episodes/);
    fireEvent.click(within(shown.panel).getByRole("button", { name: "To GRPO’s episodes" }));
    expect(shown.experiment.store.getState().choice).toMatchObject({ algorithm: "grpo" });
  });

  it("survives one episode of one turn", async () => {
    const change = withTurns((turns) => turns.slice(0, 1));
    const { panel } = await saying("credits", tokenRecording({ change }), AT, /GRPO/);
    expect(panel.querySelectorAll("tr[data-row=grpo] td.number")).toHaveLength(1);
  });

  it("says so where no episode is recorded", async () => {
    await saying("credits", withoutEpisodes(), undefined, /recorded no episodes/);
  });
});

/** Nothing is in view. */
class NothingInView {
  constructor(private see: (entries: { isIntersecting: boolean }[]) => void) {}
  observe = () => this.see([{ isIntersecting: false }]);
  disconnect = () => {};
}

describe("the panel of turns", () => {
  it("does not say that none is recorded where it is drawn later, out of view", async () => {
    vi.stubGlobal("IntersectionObserver", NothingInView);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { experiment, panel } = await panelInDom("turns", withoutEpisodes());
    await waitFor(() => expect(panel.textContent).toMatch(/recorded no episodes/));
    await act(() => showText(experiment, tokenRecording()));
    await waitFor(() => expect(panel.textContent).toMatch(/Reading the episode/));
    expect(panel.textContent).not.toMatch(/recorded no episodes/);
  });
});

describe("the ribbon", () => {
  it.each<[string, Change, RegExp]>([
    ["one turn", (turns) => turns.slice(0, 1), /1 in this|0 in this/],
    ["no turns", () => [], /This episode has no turns/],
    [
      "nothing but what a log must have",
      each((turn) => ({
        ...turn,
        ...{ value: null, advantage: null, return: null, ratio: null, tokens: [], critics: null },
      })),
      /No critic valued this episode/,
    ],
    [
      "numbers that are none",
      each((turn) => ({ ...turn, critics: { "turn-ppo": ["x", null] } })),
      /No critic|Clipped turns/,
    ],
  ])("has a sentence for %s", async (_, change, sentence) => {
    await saying("ribbon", creditRecording(withTurns(change)), "turn-ppo,1,1,1", sentence);
  });
});

describe("the token panel", () => {
  const LACKING = {
    ...{ advantage: null, value: null, logprob: "much" },
    ...{ entropy: undefined, oldLogprob: undefined },
  };
  it.each<[string, (tokens: readonly TokenRecord[]) => object[], RegExp]>([
    ["no tokens", () => [], /recorded no tokens/],
    [
      "tokens without numbers",
      (tokens) => tokens.map((token) => ({ ...token, ...LACKING })),
      /Nothing to colour/,
    ],
  ])("has a sentence for %s", async (_, change, sentence) => {
    const turns = each(({ critics: _critics, ...turn }) => ({
      ...turn,
      tokens: change(turn.tokens),
    }));
    await saying("tokens", creditRecording(withTurns(turns)), "turn-ppo,1,2,1,1", sentence);
  });
});

describe("the group panel", () => {
  it("says why a group without spread teaches nothing", async () => {
    const { panel } = await saying("group", creditRecording(), "grpo,1,1,1", /adds nothing to/);
    const flat = within(panel).getByTestId("group-flat");
    expect(flat.textContent).toBe(groupWords.flatRecorded);
    expect(column(panel, "nth-last-child(1)")).toEqual([
      "at the cursor",
      "never",
      "never",
      "turn 2",
    ]);
  });

  it("says that a method plays each task once, and leads to one that does not", async () => {
    const { panel } = await saying(
      ...(["group", creditRecording(), "turn-ppo,1,1,1"] as const),
      /Turn-PPO plays each task once/,
    );
    fireEvent.click(within(panel).getByRole("button", { name: "GRPO" }));
    await within(panel).findByTestId("group-table");
  });

  it("asks for more recorded episodes where a group has one of several", async () => {
    const recording = creditRecording((episode, algorithm) =>
      algorithm === "grpo" ? { ...episode, task: `t${episode.trajectory}` } : episode,
    );
    const { panel } = await saying("group", recording, "grpo,1,1,1", /to 8 or more/);
    expect(within(panel).getByTestId("group-alone").textContent).toContain("to 8 or more");
  });

  it("does without what a log need not have", async () => {
    const bare = each((turn) => ({
      ...turn,
      ...{ advantage: null, return: null, ratio: null, value: null, tokens: [] },
    }));
    const recording = creditRecording((episode) => ({
      ...withTurns(episode.trajectory % 2 === 0 ? () => [] : bare)(episode),
      // Outcomes of the first task, rewards of the second.
      success: null,
      ...(episode.trajectory >= GROUP && { reward: null as unknown as number }),
    }));
    const { panel } = await saying("group", recording, "grpo,1,2,1", /\?\/4 =/);
    const line = within(panel).getByTestId("group-numbers-title").textContent;
    expect(line).toContain(groupWords.outcomes(4, 0, 4));
    expect(column(panel, "nth-last-child(2)")).toEqual(Array(4).fill(groupWords.outcome.unknown));
    expect(column(panel, "nth-child(4)")).toEqual(["–", "–", "–", "–"]);
    fireEvent.click(within(within(panel).getByTestId("group-strip")).getAllByRole("button")[1]!);
    await waitFor(() =>
      expect(within(panel).getByTestId("group-numbers").textContent).toContain(groupWords.noMean),
    );
    expect(column(panel, "nth-child(2)")).toEqual(["–", "–", "–", "–"]);
    expect(panel.textContent).not.toMatch(PROGRAM_WORDS);
  });

  const column = (panel: HTMLElement, place: string) =>
    [...panel.querySelectorAll(`[data-testid=group-table] tbody tr > :${place}`)].map(
      ({ textContent }) => textContent,
    );
});

describe("the doctor panel", () => {
  it("says what its silence rests on", async () => {
    const { panel } = await saying(
      "doctor",
      sickRecording(false),
      undefined,
      /No problem found in 3/,
    );
    expect(panel.textContent).toContain("No problem found in 3 methods over 20 iterations.");
    expect(panel.textContent).toMatch(/\d+ checks could not be made/);
    expect(panel.textContent).toContain("Template collapse needs collapse_first_turn_sample/");
  });

  it("shows what the run found itself, also where the log no longer shows why", async () => {
    const found = {
      ...{ type: "finding", detector: "echo-trap", title: "Echo trap", severity: "critical" },
      ...{ algorithm: "grpo", iteration: 900, firstBad: 898, says: "S.", cause: "C." },
      remedies: ["R."],
      evidence: [
        { metric: "no/such", value: null, side: "below", limit: null, base: null, measurements: 1 },
      ],
      ...{ chain: "", time: { at: "" } },
    };
    const recording = `${sickRecording(false)}\n${JSON.stringify(found)}`;
    const { panel } = await saying("doctor", recording, undefined, /Echo trap in GRPO/);
    expect(panel.textContent).toContain("Go to iteration 20, the nearest with episodes");
  });

  it("has a sentence for a run of one iteration and for a crash at once", async () => {
    const events = sickEvents(false, 1).filter(
      (event) => !("iteration" in event) || event.iteration <= 1,
    );
    const recording = events.map((event) => JSON.stringify(event)).join("\n");
    const { panel } = await saying("doctor", recording, undefined, /The run is short/);
    expect(panel.textContent).toContain("Numbers not finite in GRPO");
    expect(panel.textContent).toContain("No episodes of this method are recorded");
  });
});

describe("the critic panel", () => {
  it("judges another method's critic where a method has none", async () => {
    await saying("critic", creditRecording(), "grpo,1,1,1", /GRPO has no critic; these are/);
  });
});
