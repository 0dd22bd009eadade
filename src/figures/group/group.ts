/** The rollouts of one task side by side: rewards, where they diverge, and the resulting advantages. */
import { formatBrief, formatSignedBrief } from "../../numeric/format.ts";
import { ends, greatest } from "../../numeric/lists.ts";
import {
  firstDifference,
  flatness,
  type Flatness,
  type Group,
  groupsOf,
  isComparable,
  outcomeOf,
  partingTurn,
} from "../../reading/groups.ts";
import { titleOf } from "../../reading/titles.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { ResolvedChoice, TurnChoice } from "../../store/turnChoice.ts";
import {
  type Block,
  type ChartAxis,
  type ChartMark,
  type Figure,
  figurePanel,
  type GridBlock,
  type GridCell,
  type StepCard,
  textBlock,
} from "../figure.ts";
import { group } from "./manifest.ts";
import { finite } from "../../numeric/finite.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { groupSizeOf } from "../../spec/groups.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { groupedMethods } from "../../reading/groupedMethods.ts";
import { words } from "./words.ts";

// Everything that the group panel draws of the iteration at the cursor.

interface GroupView {
  algorithm: string;
  groups: Group[];
  /** The group at the cursor. */
  current: number;
  /** The episode at the cursor, and its turn. */
  episode: number;
  turn: number;
  /** Rollouts per task in the run's settings; null if they do not say. */
  planned: number | null;
  /** What the method divides by. */
  std: AlgorithmConfig["std"];
  /** Whether some task has several recorded rollouts. */
  compares: boolean;
  /** Of the group at the cursor. */
  flatness: Flatness;
  parting: number | null;
  /** Other methods of the run that compare rollouts. */
  others: string[];
}

/** Null if there is no episode. */
export function groupView({ log }: RunView, at: ResolvedChoice): GroupView | null {
  const { algorithm, episodes, episode, turn } = at;
  if (episodes.length === 0) return null;
  const spec = log.start?.spec;
  const config = runConfig(spec, algorithm);
  const std = config?.std ?? "sample";
  const groups = groupsOf(episodes, std);
  const current = groups.findIndex(({ rollouts }) =>
    rollouts.some((rollout) => rollout.episode === episode),
  );
  const planned = spec && config ? finite(groupSizeOf(spec, config)) : null;
  return {
    algorithm,
    groups,
    current,
    episode,
    turn,
    planned,
    std,
    compares: groups.some(({ rollouts }) => rollouts.length > 1),
    flatness: flatness(groups[current]!, planned),
    parting: partingTurn(groups[current]!),
    others: groupedMethods(log).filter((name) => name !== algorithm),
  };
}

export const groupPanel = figurePanel({
  panel: group,
  figure: ({ view, at }): Figure => {
    const found = groupView(view, at);
    if (found === null) return [];
    return found.compares ? compared(found) : alone(found);
  },
});

function alone({ planned, algorithm, others }: GroupView): Figure {
  const why =
    planned === 1
      ? words.once(titleOf(algorithm))
      : planned === null
        ? words.alone
        : words.onlyOne(planned);
  return [
    textBlock(why, undefined, "group-alone"),
    ...(others.length === 0
      ? []
      : [
          {
            ...textBlock(words.others),
            go: others.map((name) => ({ name: titleOf(name), to: { algorithm: name } })),
          },
        ]),
  ];
}

function compared(view: GroupView): Figure {
  const { groups, current, flatness, planned } = view;
  const group = groups[current]!;
  const n = group.rollouts.length;
  const flat = groups.filter((one) => one.flat).length;
  const comparable = groups.filter(isComparable).length;
  return [
    {
      ...textBlock(describeMoments(view), undefined, "group-numbers"),
      title: words.groupLine(group.task, n, words.outcomes(n, group.solved, group.unknown)),
    },
    ...(flatness === "spread"
      ? []
      : [textBlock(flatness === "flat" ? words.flat(n) : words[flatness], "notice", "group-flat")]),
    ...(planned !== null && n < planned
      ? [textBlock(words.partial(n, planned), "note", "group-partial")]
      : []),
    table(view, group),
    {
      ...textBlock(
        `${words.summary(groups.length, comparable, flat)} ${words.overviewHint}`,
        "prose",
      ),
      title: words.overview,
    },
    strip(view),
    ...(groups.some(({ rollouts }) => rollouts.length > MOST_DOTS)
      ? [textBlock(words.dotsCut(MOST_DOTS), "note", "group-dots")]
      : []),
    textBlock(words.keys, "prose"),
  ];
}

const toTurn = (episode: number, turn = 0): Partial<TurnChoice> => ({ episode, turn, token: null });

/** Limit of rollouts with their own dot: a box has no room for more. */
const MOST_DOTS = 64;

/** All recorded tasks at a glance: a box each, a dot for each rollout, on one scale of rewards. */
function strip({ groups, current }: GroupView): Block {
  const rewards = groups.flatMap(({ rollouts }) => rollouts.map(({ record }) => record.reward));
  const [low, high] = ends(rewards.filter(Number.isFinite)) ?? [0, 1];
  const room = high > low ? 0 : 1;
  return {
    kind: "steps",
    id: "group-strip",
    label: words.overview,
    current,
    small: true,
    act: (place) => ({ to: toTurn(groups[place]!.rollouts[0]!.episode) }),
    count: groups.length,
    card: (place) => boxOf(groups[place]!, { domain: [low - room, high + room], ticks: [] }),
  };
}

function boxOf(group: Group, y: ChartAxis): StepCard {
  const { rollouts, solved, unknown, flat } = group;
  const n = rollouts.length;
  return {
    name: `${words.share(n, solved, unknown)}${flat ? " =" : ""}`,
    says: describeBox(group),
    lines: [],
    chart: {
      kind: "chart",
      id: `group-${group.task}`,
      title: "",
      says: "",
      x: { domain: [-0.5, Math.min(MOST_DOTS, n) - 0.5], ticks: [] },
      y,
      marks: dots(group),
    },
  };
}

const LOOKS = { solved: "good", failed: "bad", unknown: "open" } as const;

function dots({ rollouts, mean }: Group): ChartMark[] {
  const known = rollouts
    .slice(0, MOST_DOTS)
    .flatMap(({ record }, x) =>
      Number.isFinite(record.reward)
        ? [{ x, y: record.reward, look: LOOKS[outcomeOf(record)] }]
        : [],
    );
  return [
    ...(Number.isFinite(mean) ? [{ as: "level", y: mean } as const] : []),
    { as: "dots", dots: known },
  ];
}

function describeBox({ task, rollouts, solved, unknown, mean, std, flat }: Group): string {
  const spread = Number.isNaN(std) ? words.absent : formatBrief(std);
  const outcomes = words.outcomes(rollouts.length, solved, unknown);
  const middle = Number.isFinite(mean) ? formatSignedBrief(mean) : words.absent;
  const said = words.box(task, rollouts.length, outcomes, middle, spread);
  return flat ? `${said}, ${words.flatTag}` : said;
}

/** For example: "Group mean +4.95, std 5.50 (n = 8). They diverge in turn 1." */
function describeMoments({ groups, current, std, parting }: GroupView): string {
  const group = groups[current]!;
  const n = group.rollouts.length;
  const spread = Number.isNaN(group.std) ? words.absent : formatBrief(group.std);
  const isKnown = Number.isFinite(group.mean);
  const parts = [
    isKnown ? words.moments(formatSignedBrief(group.mean), spread, n) : words.noMean,
    !isKnown ? "" : std === "population" ? words.population : std === "none" ? words.noDivisor : "",
    n < 2 ? "" : parting === null ? words.allSame : words.part(parting),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Limits of turns shown per rollout, and of characters per turn. */
const MOST_TURNS = 12;
const MOST_LETTERS = 40;

/** A row for each rollout of the task: its reward and advantage, then its turns. */
function table({ episode, turn }: GroupView, { rollouts }: Group): GridBlock {
  const current = rollouts.findIndex((one) => one.episode === episode);
  const reference = rollouts[current]!.record;
  const longest = greatest([0, ...rollouts.map(({ record }) => record.turns.length)]);
  const turns = Math.min(MOST_TURNS, longest);
  const { reward, gap, advantage, success, differs } = words.columns;
  return {
    kind: "grid",
    id: "group-table",
    label: words.table,
    current,
    go: (row) => toTurn(rollouts[row]!.episode),
    rowHead: words.columns.rollout,
    columns: [
      { ...reward, unit: "signed" },
      { ...gap, unit: "signed", bars: "reward" },
      { ...advantage, unit: "signed", bars: "own" },
      ...Array.from({ length: turns }, (_, h) => ({
        name: words.turnName(h),
        look: "turn" as const,
        here: h === turn,
      })),
      success,
      differs,
    ],
    count: rollouts.length,
    row: (i) => {
      const { episode: own, record, gap, advantage } = rollouts[i]!;
      const parts = firstDifference(reference, record);
      const rest = record.turns.length - turns;
      const did = Array.from({ length: turns }, (_, h): GridCell => {
        const turn = record.turns[h];
        if (!turn) return { text: "" };
        return {
          text: whatItDid(turn.actions, turn.text),
          hint: beginning(turn.text),
          marked: h === parts,
          go: toTurn(own, h),
          ...(rest > 0 && h === turns - 1 && { more: `+ ${rest}` }),
        };
      });
      const outcome = outcomeOf(record);
      return {
        id: String(own),
        name: isFork(record) ? words.forked(i, record.number) : words.rollout(i),
        cells: [
          record.reward,
          gap,
          advantage,
          ...did,
          { text: words.outcome[outcome], ...(outcome === "solved" && { look: "good" as const }) },
          i === current ? words.here : parts === null ? words.same : words.turn(parts),
        ],
      };
    },
  };
}

/** Its actions; the beginning of its text if a file has no actions. */
function whatItDid(actions: readonly string[] | null, said: string): string {
  if (actions === null) return beginning(said) || words.noText;
  return beginning(actions.join(" ")) || words.nothing;
}

function beginning(said: string): string {
  const line = said.trim().replaceAll(/\s+/g, " ");
  return line.length <= MOST_LETTERS ? line : `${line.slice(0, MOST_LETTERS)}…`;
}
