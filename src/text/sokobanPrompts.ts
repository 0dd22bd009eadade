/**
 * How a Sokoban experiment's turns become tokens: a chat in RAGEN's words for models that speak,
 * the compact format for the others.
 */
import type { SokobanSpec } from "../spec/experiment.ts";
import { modelPresets } from "../spec/models.ts";
import { compactWords, type CompactOptions, type PlanAdapter } from "./compactWords.ts";
import {
  sokobanTokenizer,
  sokobanTokenizerFiles,
  type TokenizerFiles,
} from "./domainVocabulary.ts";
import type { PlainAdapter } from "./promptAdapter.ts";
import type { ChatMessage } from "./ragenChat.ts";
import { ragenGrid } from "./ragenGrid.ts";
import type { ChatTemplate } from "./chatTemplate.ts";
import {
  TALKER_SIZE,
  talkerTemplate,
  talkerTokenizer,
  talkerTokenizerFiles,
} from "./talkerTokenizer.ts";
import type { TextTokenizer } from "./tokenizer.ts";
import type { Context } from "./tokenRow.ts";

/** A model folder's own tokenizer and chat template. */
export interface Speech {
  tokenizer: TextTokenizer;
  template: ChatTemplate;
}

/** The spec asks for thoughts of this length, 0 for none; undefined: its models do not speak. */
export const speaks = ({ thought }: SokobanSpec): boolean => thought !== undefined;

/** The adapter that writes an experiment's queries, whatever its format. `message`: writes those of a chat. */
export function sokobanPrompts(
  environment: SokobanSpec,
  context: Context,
  speech?: Speech,
  message?: ChatMessage,
): PlainAdapter {
  return speaks(environment)
    ? sokobanChat(environment, context, speech, message)
    : compactFor(environment, context);
}

/**
 * The compact format of the from-scratch models. Query: a token per cell, row by row, then turns
 * left, actions left and the state-end. Response: actions between separators, closed by the turn's
 * end. The board is the whole state, so a query is complete and turn context loses nothing. With a
 * think block the query ends in its opening tag, and the response begins with the moves that the
 * policy plans.
 */
export function compactSokoban(options: CompactOptions): PlanAdapter {
  return compactWords(sokobanTokenizer(), options, (board) => board.replaceAll("\n", ""));
}

export function compactFor({ think }: SokobanSpec, context: Context): PlanAdapter {
  return compactSokoban({ context, think: !!think });
}

/** RAGEN's chat about cells and grid. `speech`: of a model folder; absent: the small vocabulary. */
function sokobanChat(
  environment: SokobanSpec,
  context: Context,
  speech: Speech = { tokenizer: talkerTokenizer(), template: talkerTemplate() },
  message?: ChatMessage,
): PlainAdapter {
  const { thought = 0, earlierThoughts, maxActions, maxActionsPerTurn } = environment;
  return ragenGrid({
    ...speech,
    context,
    think: thought > 0,
    ...(thought > 0 && { lengthAdvice: `Your thought: about ${thought} tokens.` }),
    withHistory: earlierThoughts === "stripped",
    coordinates: true,
    ...(message && { message }),
    maxActions,
    maxActionsPerTurn,
  });
}

/** Size of its models' vocabulary, and the tokenizer's files. */
export function sokobanVocabulary(environment: SokobanSpec): {
  size: number;
  files: () => TokenizerFiles;
} {
  return speaks(environment)
    ? { size: TALKER_SIZE, files: talkerTokenizerFiles }
    : { size: modelPresets.nano.vocabSize, files: sokobanTokenizerFiles };
}

/** Characters that vary from query to query: a reward, numbers of turns and actions. */
const SLACK_TOKENS = 12;

/** Code may write more than it did before the run. */
const SLACK_OF_CODE = 1.5;

/** The longest first query of an episode, and the longest after it, in tokens. `message`: of code; it is called, for the first and the last turn. */
export function longestQueries(
  environment: SokobanSpec,
  speech?: Speech,
  message?: ChatMessage,
): { first: number; later: number } {
  const prompter = sokobanChat(environment, "full", speech, message);
  const { rows, columns, boxes, maxTurns, maxActions } = environment;
  const cells = "O".repeat(boxes) + "X".repeat(boxes) + "P";
  const board = cells.padEnd(rows * columns, "#").match(new RegExp(`.{${columns}}`, "g"))!;
  const played = {
    observation: board.join("\n"),
    response: "thought ".repeat((environment.thought ?? 0) + SLACK_TOKENS),
    actions: Array<string>(environment.maxActionsPerTurn).fill("Right"),
    reward: -0.2,
  };
  const view = {
    turnsLeft: maxTurns,
    actionsLeft: maxActions,
    envReward: -0.2,
    formatPenalty: -0.1,
  };
  const length = (turn: number) => {
    const now = { ...view, history: Array.from({ length: turn }, () => played) };
    const tokens = prompter.query(board.join("\n"), now, turn).length + SLACK_TOKENS;
    return message ? Math.ceil(SLACK_OF_CODE * tokens) : tokens;
  };
  const last = message ? maxTurns - 1 : 1;
  return { first: length(0), later: maxTurns > 1 ? length(last) : 0 };
}
