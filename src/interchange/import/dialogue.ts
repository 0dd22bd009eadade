/**
 * A conversation that was written as one text, cut into turns again. Rollout files hold what the model and its
 * environment wrote after the prompt, with the chat template's marks or without them; the words that name the speaker
 * are left either way, but not always on a line of their own: Llama's template has no line break before them, and
 * agent loops that put the next message right behind the model's end mark leave none either.
 */
import { END_MARK, INSERTED, isModel, templateIn, type Template } from "./templates.ts";

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
  /** Whether there is a sign of how speakers are named here; without one, a turn may be several. */
  known: boolean;
}

interface SpokenPart {
  /** Whether the model spoke. */
  own: boolean;
  text: string;
}

/** What may name a speaker without a line of its own, or be the end of what the model wrote. */
const BEHIND = /(?<=\S)(?:user|tool|system)\n/g;

export function splitDialogue(prompt: string, written: string): Dialogue {
  const { template, known } = templateIn(prompt, written);
  const { parts: named, sure } = partsIn(written, template);
  const parts = named.flatMap((part) => (part.own ? withoutInserted(part.text) : [part]));
  const turns: SpokenTurn[] = [];
  let heard = [prompt];
  for (const { own, text } of parts) {
    if (!own) heard.push(text);
    else {
      turns.push({ observation: heard.join("\n"), text });
      heard = [];
    }
  }
  return { turns, rest: heard.join("\n"), sure, known: known || parts.length > 1 };
}

/** What somebody said before the model's turn, where a prompt goes on with `added` up to that turn. */
export function heardIn(prompt: string, added: string): string {
  const { turns, rest } = splitDialogue(prompt, added);
  return turns.length === 1 && turns[0]!.text.trim() === "" ? rest : added.trim();
}

function partsIn(written: string, template: Template): { parts: SpokenPart[]; sure: boolean } {
  const parts = partsOf(written, template.speakers);
  if (template.joins) return { parts: joined(parts), sure: true };
  if (template.marked) return { parts, sure: true };
  const found = template.loose
    ? settled(parts)
    : { parts, sure: template.partOfWord?.test(written) !== true };
  return { parts: found.parts, sure: found.sure && !found.parts.some(mayBeOwn) };
}

/**
 * Whether a part may belong to the model's turn before it, the line that names its speaker being the model's own:
 * where the model did not speak next. A tool's answer in its tags is none.
 */
function mayBeOwn({ own, text }: SpokenPart, i: number, parts: readonly SpokenPart[]): boolean {
  const answered = parts[i + 1]?.own === true && parts[i - 1]?.own === true;
  return !own && !answered && !text.startsWith("<tool_response>");
}

/** Who said what; the first to speak is the model. */
function partsOf(written: string, speakers: RegExp): SpokenPart[] {
  const parts: SpokenPart[] = [];
  let own = true;
  let start = 0;
  for (const match of written.matchAll(speakers)) {
    parts.push({ own, text: tidy(written.slice(start, match.index)) });
    own = isModel(match.slice(1).find((name) => name !== undefined)!);
    start = match.index + match[0].length;
  }
  const last = tidy(written.slice(start));
  // A mark at the very end, with nothing after it, is no turn.
  if (last !== "" || parts.length === 0) parts.push({ own, text: last });
  return parts;
}

/** Messages that one speaker wrote behind one another as one. */
function joined(parts: readonly SpokenPart[]): SpokenPart[] {
  const all: SpokenPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.own === part.own) last.text += `\n${part.text}`;
    else all.push({ ...part });
  }
  return all;
}

/** The model's message, cut at what was put into it. */
function withoutInserted(text: string): SpokenPart[] {
  const parts: SpokenPart[] = [];
  let start = 0;
  for (const match of text.matchAll(INSERTED)) {
    parts.push({ own: true, text: text.slice(start, match.index).trim() });
    parts.push({ own: false, text: match[0].trim() });
    start = match.index + match[0].length;
  }
  if (start === 0) return [{ own: true, text }];
  const last = text.slice(start).trim();
  return last === "" ? parts : [...parts, { own: true, text: last }];
}

/**
 * The model does not answer itself: between two of its turns somebody spoke. Where one word alone can name who, its
 * turn is cut there; that is not certain, and neither is whether such a word ends the last turn.
 */
function settled(parts: readonly SpokenPart[]): { parts: SpokenPart[]; sure: boolean } {
  let sure = true;
  const cut = parts.flatMap((part, i): SpokenPart[] => {
    if (!part.own) return [part];
    const found = [...part.text.matchAll(BEHIND)];
    const answersItself = parts[i + 1]?.own === true;
    if (found.length > 0 || answersItself) sure = false;
    return answersItself && found.length === 1 ? cutAt(part, found[0]!) : [part];
  });
  return { parts: cut, sure };
}

function cutAt({ text }: SpokenPart, found: RegExpExecArray): SpokenPart[] {
  const heard = text.slice(found.index + found[0].length);
  return [
    { own: true, text: text.slice(0, found.index) },
    { own: false, text: heard },
  ];
}

function tidy(text: string): string {
  return text.replace(END_MARK, "");
}
