/** One episode, turn by turn: board, the model's text, and the credit each turn received. */
import { hasPages, knownDescriptor } from "../../env/descriptors.ts";
import { capital, counted } from "../../numeric/counted.ts";
import { finite } from "../../numeric/finite.ts";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { stretchesOf } from "../../numeric/longText.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { EnvironmentSpec } from "../../spec/experiment.ts";
import { figurePanel, textBlock, type GridBlock, type GridCell } from "../figure.ts";
import { episodeEnd } from "../episodeEnd.ts";
import { turns } from "./manifest.ts";
import { words } from "./words.ts";

export const turnsPanel = figurePanel({
  panel: turns,
  isEmpty: ({ origin }) => origin === "none",
  figure: ({ view: { log, origin }, at: { algorithm, episodes, episode, turn } }) => {
    const record = episodes[episode];
    const toolbar = { kind: "part", id: "toolbar" } as const;
    if (!record) return [toolbar, { kind: "part", id: "none" }];
    const spec = log.start?.spec;
    const { environment } = spec ?? {};
    const isForked = isFork(record);
    const source: NumberSource = {
      absent: isForked ? words.notInFork : origin === "imported" ? words.notInFile : null,
      hasCritic: (runConfig(spec, algorithm)?.critic ?? "none") !== "none",
      isForked,
    };
    const said = episodeLine(record, environment);
    return [
      toolbar,
      textBlock(isForked ? `${said} ${words.fork}` : said),
      ...(hasPages(environment)
        ? [{ kind: "part", id: "shop", given: { record, environment } } as const]
        : []),
      table(record, { episode, turn }, source),
      { ...textBlock(""), title: words.final },
      board(record.finalObservation),
    ];
  },
});

const board = (observation: string) =>
  ({ kind: "part", id: "board", given: { observation } }) as const;

function episodeLine(episode: EpisodeRecord, environment: EnvironmentSpec | undefined): string {
  const { task, seed, reward, turns } = episode;
  const kind = capital(knownDescriptor(environment?.kind)?.task ?? "level");
  const name = Number.isFinite(seed) ? `${kind} ${seed}` : task;
  const count = counted(turns.length, "turn");
  return `${name}: ${count}, ${episodeEnd(episode)}, total reward ${formatSigned(reward)}.`;
}

function table(
  { turns }: EpisodeRecord,
  { episode, turn }: { episode: number; turn: number },
  source: NumberSource,
): GridBlock {
  const { value, reward, advantage, return: target, ratio } = words.numbers;
  const numbers = [value, reward, advantage, target, ratio];
  return {
    kind: "grid",
    id: "turns-table",
    label: words.table,
    rowHead: { name: words.row },
    columns: [
      { name: words.observation },
      { name: words.response, look: "long" },
      { ...value, unit: "signed" },
      { ...reward, unit: "signed" },
      { ...advantage, unit: "signed", bars: "own" },
      { ...target, unit: "signed" },
      { ...ratio, unit: "number" },
    ],
    count: turns.length,
    current: turn,
    go: (h) => ({ episode, turn: h }),
    row: (h) => {
      const own = turns[h]!;
      return {
        id: String(h),
        name: words.turn(h),
        cells: [board(own.observation), response(own), ...numberCells(own, source)],
      };
    },
    whole: () => ({
      head: [words.row, ...numbers.map(({ name }) => name)],
      rows: turns.map(({ value, reward, advantage, return: target, ratio }, h) => [
        h + 1,
        ...[value, reward, advantage, target, ratio].map((number) => finite(number)),
      ]),
    }),
  };
}

function response({ text, actions, formatPenalty }: TurnRecord): GridCell {
  const did =
    actions?.length === 0 ? words.noAction : words.actions(actions?.join(", ") ?? words.notInFile);
  const more = formatPenalty < 0 ? `${did}; ${words.penalty(formatSigned(formatPenalty))}` : did;
  return { text: text.trim() === "" ? words.noText : beginningOf(text), more };
}

/** A text of a megabyte takes a second to lay out; the token panel shows all of it, in parts. */
function beginningOf(text: string): string {
  const { parts, left } = stretchesOf(text, 1);
  return left === 0 ? text : `${parts.join("")} ${words.moreText(left)}`;
}

interface NumberSource {
  /** Shown for a number that a file or a fork lacks: null in one of our runs, where one that is not finite is a crash. */
  absent: string | null;
  /** Whether the method has a critic: then a missing value was not finite. */
  hasCritic: boolean;
  /** Of an episode that was not trained on. */
  isForked: boolean;
}

/** Numbers of a turn, in the order of the columns; in words what is missing, and why. */
export function numberCells(turn: TurnRecord, { absent, hasCritic, isForked }: NumberSource) {
  const { value, reward, advantage, return: target, ratio, clipped } = turn;
  // Null if a log has no number at all, whatever the type says.
  const known = (number: number | null, missing = formatNumber(NaN)) =>
    finite(number) ?? absent ?? missing;
  const ofCritic = (number: number | null) =>
    known(number, number === null && !hasCritic ? words.noCritic : undefined);
  // Some critics have targets at some turns only.
  const isUntaught = target === null && finite(value) !== null && absent === null && hasCritic;
  const clip = clipped === null ? words.clipNotInFile : clipped ? words.clipped : "";
  const cells: GridCell[] = [
    value === null && isForked ? words.noCritic : ofCritic(value),
    known(reward),
    known(advantage),
    isUntaught ? words.noTarget : ofCritic(target),
    finite(ratio) === null || clip === "" ? known(ratio) : { value: ratio, more: clip },
  ];
  return cells;
}
