/**
 * A conversation that was written as one text, cut into turns again. Rollout files hold what the model and its
 * environment wrote after the prompt, with the chat template's marks or without them; the words that name the speaker
 * are left either way, but not always on a line of their own: Llama's template has no line break before them, and
 * agent loops that put the next message right behind the model's end mark leave none either.
 */
interface SpokenTurn {
  /** What was said to the model before the turn. */
  observation: string;
  text: string;
}

interface Dialogue {
  turns: SpokenTurn[];
  /** What was said last, if the model did not answer it. */
  rest: string;
  /** Whether no word could as well have been written by the model as by the template. */
  sure: boolean;
}

interface SpokenPart {
  speaker: string;
  text: string;
}

const NAMES = "user|tool|system|assistant|ipython";
/** How a chat template names who speaks next: the first group that matched. */
const MARKED = new RegExp(
  `(?:<\\|(?:im_end|eot_id|eom_id)\\|>)?\\n?(?:<\\|im_start\\|>(${NAMES})\\n|` +
    `<\\|start_header_id\\|>(${NAMES})<\\|end_header_id\\|>\\n\\n)`,
  "g",
);
/** On a line of its own; after a closing tag and before a tool's answer also right behind other text. */
const PLAIN = new RegExp(
  `(?:<\\|im_end\\|>)?\\n(${NAMES})\\n|(?<=</\\w+>)(user|tool)\\n|(user|tool)\\n(?=<tool_response>)`,
  "g",
);
/** What may name a speaker without a line of its own, or be the end of what the model wrote. */
const BEHIND = /(?<=\S)(user|tool|system)\n/g;
/** Llama's without its marks: only the empty line after it distinguishes a speaker from a word. */
const LLAMA = new RegExp(`(?<![ \\t])(${NAMES})\\n\\n`, "g");
const PART_OF_WORD = new RegExp(`(?<=[\\p{L}_-])(${NAMES})\\n\\n`, "u");
const END_MARK = /<\|(?:im_end|eot_id|eom_id|endoftext)\|>\s*$/;

export function splitDialogue(prompt: string, written: string): Dialogue {
  const { parts, sure } = partsIn(prompt, written);
  const turns: SpokenTurn[] = [];
  let heard = [prompt];
  for (const { speaker, text } of parts) {
    if (speaker !== "assistant") heard.push(text);
    else {
      turns.push({ observation: heard.join("\n"), text });
      heard = [];
    }
  }
  return { turns, rest: heard.join("\n"), sure };
}

/** A prompt ends by naming the model, which shows how its template does that. */
function partsIn(prompt: string, written: string): { parts: SpokenPart[]; sure: boolean } {
  if (/<\|(?:im_start|start_header_id)\|>/.test(written))
    return { parts: partsOf(written, MARKED), sure: true };
  const { parts, sure } = /assistant\n\n$/.test(prompt)
    ? { parts: partsOf(written, LLAMA), sure: !PART_OF_WORD.test(written) }
    : settled(partsOf(written, PLAIN));
  return { parts, sure: sure && !parts.some(mayBeOwn) };
}

/**
 * Whether a part may belong to the model's turn before it, the line that names its speaker being the model's own:
 * where the model did not speak next. A tool's answer in its tags is none.
 */
function mayBeOwn({ speaker, text }: SpokenPart, i: number, parts: readonly SpokenPart[]): boolean {
  const answered = parts[i + 1]?.speaker === "assistant" && parts[i - 1]?.speaker === "assistant";
  return speaker !== "assistant" && !answered && !text.startsWith("<tool_response>");
}

/** Who said what; the first to speak is the model. */
function partsOf(written: string, speakers: RegExp): SpokenPart[] {
  const parts: SpokenPart[] = [];
  let speaker = "assistant";
  let start = 0;
  for (const match of written.matchAll(speakers)) {
    parts.push({ speaker, text: tidy(written.slice(start, match.index)) });
    speaker = match.slice(1).find((name) => name !== undefined)!;
    start = match.index + match[0].length;
  }
  const last = tidy(written.slice(start));
  // A mark at the very end, with nothing after it, is no turn.
  if (last !== "" || parts.length === 0) parts.push({ speaker, text: last });
  return parts;
}

/**
 * The model does not answer itself: between two of its turns somebody spoke. Where one word alone can name who, its
 * turn is cut there; that is not certain, and neither is whether such a word ends the last turn.
 */
function settled(parts: readonly SpokenPart[]): { parts: SpokenPart[]; sure: boolean } {
  let sure = true;
  const cut = parts.flatMap((part, i): SpokenPart[] => {
    if (part.speaker !== "assistant") return [part];
    const found = [...part.text.matchAll(BEHIND)];
    const answersItself = parts[i + 1]?.speaker === "assistant";
    if (found.length > 0 || answersItself) sure = false;
    return answersItself && found.length === 1 ? cutAt(part, found[0]!) : [part];
  });
  return { parts: cut, sure };
}

function cutAt({ speaker, text }: SpokenPart, found: RegExpExecArray): SpokenPart[] {
  const heard = text.slice(found.index + found[0].length);
  return [
    { speaker, text: text.slice(0, found.index) },
    { speaker: found[1]!, text: heard },
  ];
}

function tidy(text: string): string {
  return text.replace(END_MARK, "");
}
