/** An episode as a chat: what the environment showed, what the model thought and answered, whether one fits the other, and what is folded. */
import { parseBoard, type Board } from "../../env/sokoban/board.ts";
import { actionNamed, parseResponse } from "../../env/sokoban/parseResponse.ts";
import { judgeThought } from "../../env/sokoban/judgeThought.ts";
import { readThought } from "../../env/sokoban/thoughtForms.ts";
import { thoughtBlock } from "../../env/thoughtBlock.ts";
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { ExperimentSpec, SokobanSpec } from "../../spec/experiment.ts";
import { words } from "./words.ts";

/** A turn of the chat, without its tokens. */
export interface ChatTurn {
  /** Of the turn before; null if there is none, or it is unknown. */
  reward: number | null;
  movesLeft: number | null;
  turnsLeft: number | null;
  /** In words, up to its end or that of the response; null if the response begins with none. */
  thought: string | null;
  /** What each of its tokens belongs to. */
  roles: readonly Role[];
  /** Whether the thought fits its answer, and the board; empty where nothing can tell. */
  marks: readonly ThoughtMark[];
}

/** `tag`: only marks where a part begins or ends. */
type Role = "thought" | "answer" | "tag";

interface ThoughtMark {
  isGood: boolean;
  text: string;
}

export function chatOf(spec: ExperimentSpec | undefined, { turns }: EpisodeRecord): ChatTurn[] {
  const environment = spec?.environment;
  const limits = environment as Partial<SokobanSpec> | undefined;
  let done: number | null = 0;
  return turns.map((turn, h): ChatTurn => {
    const left = (limit: number | undefined, used: number | null) =>
      limit === undefined || used === null ? null : limit - used;
    const movesLeft = left(limits?.maxActions, done);
    done = done === null || turn.actions === null ? null : done + turn.actions.length;
    return {
      reward: finite(turns[h - 1]?.reward),
      movesLeft,
      turnsLeft: left(limits?.maxTurns, h),
      ...partsOf(turn),
      marks: environment?.kind === "sokoban" ? marksOf(turn, environment) : [],
    };
  });
}

const TAGS = /<\/?(?:think|answer)>|<\|\w+\|>/g;

function partsOf({ text, tokens }: TurnRecord): Pick<ChatTurn, "thought" | "roles"> {
  const pieces = tokens.map((token) => token.text);
  const said = tokens.length === 0 ? text : pieces.join("");
  // The prompt may have begun the thought: then its tag is in the text, but no token of the response.
  const begun = thoughtBlock(text) && !thoughtBlock(said) ? "<think>" : "";
  const block = thoughtBlock(begun + said);
  const end = block ? block.length - begun.length : 0;
  const tags = [...said.matchAll(TAGS)].map(({ 0: tag, index }) => [index, index + tag.length]);
  let from = 0;
  const roles = pieces.map((piece): Role => {
    const to = from + piece.length;
    const isTag = tags.some(([start, stop]) => from < stop! && to > start!);
    const role = isTag ? "tag" : from < end ? "thought" : "answer";
    from = to;
    return role;
  });
  return { thought: block && block.thought.trim(), roles };
}

/** Of models that think in words. */
function marksOf(
  { observation, text }: TurnRecord,
  { thought: length = 0, maxActionsPerTurn }: SokobanSpec,
): ThoughtMark[] {
  const board = boardIn(observation);
  if (length === 0 || !board) return [];
  const bad = (text: string): ThoughtMark[] => [{ isGood: false, text }];
  const block = thoughtBlock(text);
  if (!block?.closes) return bad(words.marks[block ? "open" : "none"]);
  const { thought } = block;
  const answer = parseResponse(text, true, maxActionsPerTurn).names.map(actionNamed);
  const { reads, agrees, fits, works } = judgeThought(board, thought, answer);
  const now = readThought(thought)?.find((claim) => claim.kind === "now");
  if (!reads || now?.kind !== "now") return bad(words.marks.unread);
  const says = now.steps.map(({ action }) => action).join(" || ");
  return [
    { isGood: agrees, text: agrees ? words.marks.agrees : words.marks.says(says) },
    fits && !works
      ? { isGood: false, text: words.marks.fails }
      : { isGood: fits, text: fits ? words.marks.fits : words.marks.misreads },
  ];
}

/** Null for what a file may have in place of a board. */
function boardIn(observation: string): Board | null {
  try {
    return parseBoard(observation);
  } catch {
    return null;
  }
}

// Which thoughts are open: a beginning for all turns, then turns that differ, such as "here 2- 4+".

export const FIRST_FOLDS = "here";

/** At first only the thought of the turn at the cursor is. */
export function isThoughtOpen(folds: string, turn: number, here: number): boolean {
  const [all, ...own] = folds.split(" ");
  if (own.includes(`${turn}+`)) return true;
  return !own.includes(`${turn}-`) && (all === "all" || (all === "here" && turn === here));
}

export function withThoughtFold(folds: string, turn: number, open: boolean): string {
  const others = folds.split(" ").filter((one) => parseInt(one, 10) !== turn);
  return [...others, `${turn}${open ? "+" : "-"}`].join(" ");
}
