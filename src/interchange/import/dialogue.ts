/**
 * A conversation that was written as one text, cut into turns again. Rollout files hold what the model and its
 * environment wrote after the prompt, with the chat template's marks or without them; lines that name the speaker
 * are left either way.
 */
export interface SpokenTurn {
  /** What was said to the model before the turn. */
  observation: string;
  text: string;
}

export interface Dialogue {
  turns: SpokenTurn[];
  /** What was said last, if the model did not answer it. */
  rest: string;
}

const SPEAKER = /(?:<\|im_end\|>)?\n(?:<\|im_start\|>)?(user|tool|system|assistant)\n/g;
const END_MARK = /<\|(?:im_end|endoftext)\|>\s*$/;

export function splitDialogue(prompt: string, written: string): Dialogue {
  const turns: SpokenTurn[] = [];
  let heard = [prompt];
  for (const { speaker, text } of partsOf(written)) {
    if (speaker !== "assistant") heard.push(text);
    else {
      turns.push({ observation: heard.join("\n"), text });
      heard = [];
    }
  }
  return { turns, rest: heard.join("\n") };
}

/** Who said what; the first to speak is the model. */
function partsOf(written: string): { speaker: string; text: string }[] {
  const parts = [];
  let speaker = "assistant";
  let start = 0;
  for (const match of written.matchAll(SPEAKER)) {
    parts.push({ speaker, text: tidy(written.slice(start, match.index)) });
    speaker = match[1]!;
    start = match.index + match[0].length;
  }
  const last = tidy(written.slice(start));
  // A mark at the very end, with nothing after it, is no turn.
  if (last !== "" || parts.length === 0) parts.push({ speaker, text: last });
  return parts;
}

function tidy(text: string): string {
  return text.replace(END_MARK, "");
}
