/** What a fork led to: returns in pictures and numbers, advantages beside the true one, and its episode. */
import { formatSigned } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import { max, min } from "../../numeric/statistics.ts";
import { titleOf } from "../../reading/titles.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { EpisodeTruth, Truths } from "../../reading/truths.ts";
import type { BranchEstimate, ForkAnswer } from "../../runtime/questions.ts";
import { TRUTH_BRANCHES } from "../../store/findTruth.ts";
import { isHeld, MOST_EPISODES, truthOfEpisode } from "../../store/forks.ts";
import type { Fork } from "../../store/forkTypes.ts";
import { words as credits } from "../credits/words.ts";
import type { Go } from "../choices.ts";
import {
  textBlock,
  type BarRow,
  type BarsBlock,
  type Block,
  type ChartBlock,
  type Figure,
  type GridBlock,
  type GroupBlock,
} from "../figure.ts";
import { policyName, sayDiscount } from "../truthWords.ts";
import {
  changeOf,
  creditsAt,
  lacksProcess,
  recordedResponse,
  samplesOf,
  trainedAt,
  type CreditsWanted,
  type Sample,
  type Said,
} from "./numbers.ts";
import { words } from "./words.ts";

const interval = ({ low, high }: BranchEstimate) =>
  words.interval(formatSigned(low), formatSigned(high));

/** Bars of a picture. */
const BINS = 60;

/** `isComputed`: whether the credits that are wanted can be read at once. */
export function resultFigure(wanted: CreditsWanted, isComputed: boolean, truths: Truths): Figure {
  const { number, question, answer } = wanted.fork;
  const { played } = answer;
  const by = words.by(policyName(answer.trained), sayDiscount(answer));
  const samples = samplesOf(answer);
  const isFlat = samples.some(({ returns }) => new Set(returns).size === 1);
  const draws = sameDraws(answer, truthOfEpisode(truths, question, question.episode));
  const said = isComputed ? creditsAt(wanted) : [];
  const title = `${words.fork(number)}: ${words.outcome.toLowerCase()}`;
  return [
    group("fork-result", title, [
      played ? { ...textBlock(playedLine(played)), more: by } : textBlock(by, "note"),
      { kind: "side", parts: pictures(samples).map((picture) => [picture]) },
      ...(isFlat ? [textBlock(words.equal, "note")] : []),
      sampleTable(samples),
      {
        kind: "meanings",
        title: words.meanings,
        items: samples.map(({ kind }) => ({ name: words.names[kind], hint: words.hints[kind] })),
      },
      textBlock(`${words.intervals} ${draws}`, "prose"),
      { ...textBlock(words.creditsHint, "prose"), title: words.credits },
      ...(isComputed ? [] : [textBlock(credits.computing, "note")]),
      advantages({
        truth: answer.recorded.advantage!,
        trained: trainedAt(wanted),
        algorithm: question.algorithm,
        said,
      }),
    ]),
  ];
}

const group = (id: string, title: string, blocks: Figure): GroupBlock => ({
  kind: "group",
  id,
  title,
  parts: () => blocks,
});

function playedLine({ text, actions, reward, over }: NonNullable<ForkAnswer["played"]>) {
  const did = actions.length === 0 ? words.noActions : actions.join(", ");
  return `${words.played(text, did, formatSigned(reward))}${over ? words.over : ""}.`;
}

/** How many continuations had which return, the mean and its interval: on one axis, which has 0. */
export function pictures(samples: readonly Sample[]): ChartBlock[] {
  const numbers = samples.flatMap(({ returns, mean }) => [...returns, mean.low, mean.high]);
  const all = [0, ...numbers.filter(Number.isFinite)];
  const domain = [min(all), max(all)] as const;
  return samples.map(({ kind, returns, mean }) => {
    const name = words.names[kind];
    const counts = countsOf(returns, domain);
    const [middle, low, high] = [mean.mean, mean.low, mean.high].map(formatSigned);
    return {
      kind: "chart",
      id: `fork-${kind}`,
      title: `${name}: ${middle!}`,
      says: words.picture(words.row(name, middle!, low!, high!, returns.length)),
      note: "",
      isSmall: true,
      x: { name: words.axis, domain, unit: "signed" },
      y: { domain: [0, greatest(counts.map(({ y }) => y))], ticks: [] },
      marks: [
        { as: "band", from: mean.low, to: mean.high },
        { as: "bars", bars: counts },
        { as: "edge", x: 0, dotted: true },
        { as: "edge", x: mean.mean, name: words.mean },
      ],
    };
  });
}

function countsOf(returns: readonly number[], [first, last]: readonly [number, number]) {
  const width = (last - first || 1) / BINS;
  const placeOf = (G: number) => Math.min(BINS - 1, Math.floor((G - first) / width));
  const places = returns.map(placeOf);
  return [...new Set(places)].map((place) => ({
    from: first + place * width,
    to: first + (place + 1) * width,
    y: places.filter((one) => one === place).length,
    beyond: false,
  }));
}

function sampleTable(samples: readonly Sample[]): GridBlock {
  const [name, ...columns] = words.columns;
  return {
    kind: "grid",
    id: "fork-table",
    label: words.table,
    rowHead: { name: name! },
    columns: columns.map((name) => ({ name, unit: "signed" })),
    count: samples.length,
    current: -1,
    row: (place) => {
      const { kind, mean, advantage, returns } = samples[place]!;
      const gap = advantage && [formatSigned(advantage.mean), interval(advantage)];
      return {
        id: kind,
        name: `${words.names[kind]} (${words.short[kind]})`,
        cells: [
          ...[formatSigned(mean.mean), interval(mean)],
          ...(gap ?? [null, null]),
          String(returns.length),
        ],
      };
    },
  };
}

/** How a fork's numbers relate to the truth of the same turn. `truth`: of the forked episode; null if unknown. */
export function sameDraws(
  { branches, trained }: Pick<ForkAnswer, "branches" | "trained">,
  truth: EpisodeTruth | null,
): string {
  const found = truth?.found;
  // The run may have continued since: a truth estimated now is the live policy's.
  if (!found)
    return words.ifSamePolicy(policyName(trained), compareDraws(branches, TRUTH_BRANCHES));
  if (found.trained !== trained) return words.otherPolicy(policyName(found.trained));
  return compareDraws(branches, found.branches);
}

/** Both under the same policy. */
function compareDraws(here: number, there: number): string {
  if (here === there) return words.sameDraws(there);
  return here < there ? words.fewerDraws(here, there) : words.moreDraws(here, there);
}

interface Advantages {
  truth: BranchEstimate;
  /** The advantage training used; null if unknown. */
  trained: number | null;
  /** The method that was trained. */
  algorithm: string;
  said: readonly Said[];
}

/** The true one first, then what training used, then what each algorithm computes: on one scale. */
export function advantages({ truth, trained, algorithm, said }: Advantages): BarsBlock {
  const { mean, low, high } = truth;
  const among = [mean, trained, ...said.map(({ advantage }) => advantage)].filter(Number.isFinite);
  const row = (id: string, name: string, look: BarRow["look"], value: number | null): BarRow => ({
    id,
    name,
    look,
    notes: [],
    go: [],
    reason: null,
    cells: [{ value }],
    among: among as number[],
    ends: [],
    repeats: false,
  });
  return {
    kind: "bars",
    id: "fork-credits",
    label: words.credits,
    rowHead: credits.rowName,
    columns: [{ id: "advantage", name: words.marksAxis, to: null }],
    current: -1,
    ends: [],
    unit: "signed",
    rows: [
      {
        ...row("truth", words.truth, "truth", mean),
        cells: [{ value: mean, interval: [low, high], pale: low < 0 && high > 0 }],
      },
      ...(trained === null
        ? []
        : [
            {
              ...row("trained", credits.trained(titleOf(algorithm)), "trained", trained),
              notes: [credits.trainedHint],
            },
          ]),
      ...said.map(({ name, title, advantage, reason, over }) => {
        const why = reason ?? over;
        return {
          ...row(name, title, "method", advantage),
          notes: advantage === null || why === null ? [] : [why],
          reason: advantage === null ? [words.noCredit, ...(why ? [why] : [])].join(": ") : null,
        };
      }),
    ],
  };
}

interface KeptForks {
  forks: readonly Fork[];
  /** The fork whose returns and episode are shown here. */
  shown: Fork | null;
  /** The fork whose episode all panels show. */
  inPanels: Fork | null;
  /** Index of its episode. */
  branch: number;
  log: RunLog;
}

/** Stored forks, and the episode that one of them led to. Buttons choose `show`, `panels`, `save` or `drop` by a fork's number. */
export function keptFigure(kept: KeptForks): Figure {
  const { forks, shown } = kept;
  return [
    group("fork-list", words.kept, [
      ...(forks.length === 0 ? [textBlock(words.keptNone, "note")] : []),
      textBlock(words.keptHint(MOST_EPISODES), "prose"),
      ...forks.map((fork) => keptFork(fork, kept)),
    ]),
    ...(shown ? [keptEpisode(shown, kept)] : []),
  ];
}

function keptFork(fork: Fork, kept: KeptForks): Block {
  const { number, question, released } = fork;
  const { algorithm, iteration, episode, turn } = question;
  const place = words.keptLine(titleOf(algorithm), iteration, episode.trajectory + 1, turn + 1);
  const { more, go } = inPanels(fork, kept);
  return {
    ...textBlock(`${place}: ${words.change[changeOf(question)]}.`),
    more: [released ? words.firstLeft : "", more].join(" ").trim(),
    go: [
      {
        name: words.fork(number),
        pressed: fork === kept.shown,
        choose: { show: String(number) },
      },
      ...go,
      {
        name: words.save,
        says: words.saveName(number),
        hint: words.saveHint,
        choose: { save: String(number) },
      },
      { name: words.drop, says: words.dropName(number), choose: { drop: String(number) } },
    ],
  };
}

/** The button that shows a fork in all panels, or why that is impossible. */
function inPanels(fork: Fork, { inPanels, log }: KeptForks): { more: string; go: Go[] } {
  const held = isHeld(log, fork);
  const go = {
    name: words.panels,
    says: words.panelsName(fork.number),
    pressed: fork === inPanels,
    disabled: !held,
    choose: { panels: String(fork.number) },
  };
  return { more: held ? "" : words.forgotten, go: [go] };
}

function keptEpisode(fork: Fork, kept: KeptForks): Block {
  const { number, question, answer, released = 0 } = fork;
  const branch = fork === kept.inPanels ? kept.branch : 0;
  const all = answer.kept.length + released;
  const episode = answer.kept[branch]!;
  const { turns, turn: left, success, reward, finalObservation } = episode;
  const isValued = turns.some(({ value }) => value !== null);
  const about = [
    words.episodeHint(branch, all),
    ...(isValued ? [words.valuedBy(answer.trained, question.iteration)] : []),
    ...(lacksProcess(question) ? [words.noProcess] : []),
  ];
  const sayKept = released > 0 ? words.firstLeftOf : words.continuations;
  const { more, go } = inPanels(fork, kept);
  return group("fork-episode", words.episode(number), [
    textBlock(about.join(" "), "note"),
    { ...textBlock(more), go },
    textBlock(`${words.panelsHint} ${sayKept(all, answer.branches)}`, "prose"),
    {
      kind: "grid",
      id: "fork-turns-played",
      label: words.episode(number),
      rowHead: { name: words.turn },
      columns: [
        { name: words.board },
        { name: words.response, look: "long" },
        { name: words.reward, unit: "signed" },
        ...(isValued ? [{ name: words.value, unit: "signed" } as const] : []),
      ],
      count: turns.length + 1,
      current: left,
      row: (h) => {
        const turn = turns[h];
        const id = String(h + 1);
        if (!turn) return { id, name: "→", cells: [board(finalObservation), "", ""] };
        const when = h < left ? words.before : h === left ? words.here : words.after;
        return {
          id,
          name: `${h + 1}, ${when}`,
          cells: [
            board(turn.observation),
            recordedResponse(episode, h),
            turn.reward,
            ...(isValued ? [turn.value] : []),
          ],
        };
      },
      whole: () => ({
        head: [words.turn, words.response, words.reward, words.value],
        rows: turns.map(({ reward, value }, h) => [
          ...[h + 1, recordedResponse(episode, h), reward, value],
        ]),
      }),
    },
    textBlock(words.end(success === true, formatSigned(reward))),
  ]);
}

const board = (observation: string) =>
  ({ kind: "part", id: "board", given: { observation } }) as const;
