/** Turns from a text of a chat template and, where a file has them, the tokens that were trained in it. */
import { splitDialogue } from "./dialogue.ts";
import { bareTurn, type Findings, type ForeignTurn } from "./foreign.ts";
import { tokensIn, tokenTurn, trainedSpans, type TokenColumns } from "./tokens.ts";
import { noteTurns } from "./verl.ts";

/** Where the model begins to speak, in the templates of Qwen, Llama, Gemma, GLM, DeepSeek and Mistral. */
const MODEL_BEGINS =
  /<\|im_start\|>assistant\n|<\|start_header_id\|>assistant<\|end_header_id\|>\n\n|<start_of_turn>model\n|<\|assistant\|>\n?|<[｜|]Assistant[｜|]>|\[\/INST\] ?|(?:^|\n)assistant\n/;

export const spokenWords = {
  whole: "Where the model begins to speak in a text is where its template first names the model.",
  unmarked: "In some texts no template names the model: each is shown as one turn.",
  noText: (tokens: number) => `[${tokens} tokens; the file has their numbers, not their text]`,
} as const;

export interface SpokenTurns {
  turns: ForeignTurn[];
  /** What was said after the last turn. */
  last: string;
}

/** A text that holds prompt and answer, cut where the model first speaks. */
export function promptAndAnswer(
  text: string,
  findings: Findings,
): [prompt: string, answer: string] {
  const found = MODEL_BEGINS.exec(text);
  findings.assume(found ? spokenWords.whole : spokenWords.unmarked);
  const at = found ? found.index + found[0].length : 0;
  return [text.slice(0, at), text.slice(at)];
}

/** A text cut into turns, with notes on how. */
export function spokenTurns(prompt: string, written: string, findings: Findings): SpokenTurns {
  const dialogue = splitDialogue(prompt, written);
  const { turns, rest } = dialogue;
  noteTurns(dialogue, findings);
  return { turns: turns.map((turn) => bareTurn(turn.observation, turn.text)), last: rest };
}

/**
 * A turn for each run of trained tokens. Its texts are those of the conversation if that has as
 * many turns; otherwise only their number is known.
 * @param mask of the columns' tokens
 */
export function turnsWithTokens(
  columns: TokenColumns,
  mask: ArrayLike<unknown>,
  said: readonly ForeignTurn[],
): ForeignTurn[] {
  const spans = trainedSpans(mask);
  const matches = said.length === spans.length;
  return spans.map(({ from, to }, h) => {
    const before = from - (spans[h - 1]?.to ?? 0);
    const { observation, text } = matches
      ? said[h]!
      : {
          observation: before > 0 ? spokenWords.noText(before) : "",
          text: spokenWords.noText(to - from),
        };
    return tokenTurn(observation, text, tokensIn(columns, from, to));
  });
}
