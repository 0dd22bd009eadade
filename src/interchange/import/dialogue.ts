/**
 * Splits a conversation that was written as one text into turns. Rollout files contain what the
 * model and its environment wrote after the prompt, with or without the chat template's marks;
 * either way the words that name the speaker remain, but not always on their own line: Llama's
 * template has no line break before them, and neither do agent loops that append the next message
 * directly to the model's end mark.
 */
import { END_MARK, INSERTED, isModel, templateIn, type Template } from "./templates.ts";

interface SpokenTurn {
  /** What the model saw before the turn. */
  observation: string;
  text: string;
}

interface Dialogue {
  turns: SpokenTurn[];
  /** The last message, if the model did not answer it. */
  rest: string;
  /** Whether every word that splits turns must come from the template, not from the model. */
  sure: boolean;
  /** Whether the format of speaker names is known; without it, a turn may really be several. */
  known: boolean;
  /** Whose marks, or whose names of speakers, separated turns; null: only tags of tools did, or nothing. */
  of: string | null;
  marked: boolean;
}

interface SpokenPart {
  /** Whether the model wrote it. */
  own: boolean;
  text: string;
}

/** Words that may name a speaker without their own line, or be the end of the model's text. */
const BEHIND = /(?:user|tool|system)\n/g;

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
  const { marked, of } = template;
  const by = { marked, of: named.length > 1 ? of : null };
  return { turns, rest: heard.join("\n"), sure, known: known || parts.length > 1, ...by };
}

/** What was said before the model's turn, if a prompt grew by `added` up to that turn. */
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
 * Whether a part may belong to the model's turn before it, with a line that looks like a speaker's
 * name: true if the next speaker is not the model. A tool's answer in its tags never does.
 */
function mayBeOwn({ own, text }: SpokenPart, i: number, parts: readonly SpokenPart[]): boolean {
  const answered = parts[i + 1]?.own === true && parts[i - 1]?.own === true;
  return !own && !answered && !text.startsWith("<tool_response>");
}

/** The text of each speaker; the first speaker is the model. */
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
  // A mark at the very end, with nothing after it, does not start a turn.
  if (last !== "" || parts.length === 0) parts.push({ own, text: last });
  return parts;
}

/** Joins consecutive messages of one speaker. */
function joined(parts: readonly SpokenPart[]): SpokenPart[] {
  const all: SpokenPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.own === part.own) last.text += `\n${part.text}`;
    else all.push({ ...part });
  }
  return all;
}

/** The model's message, split at text inserted into it. */
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
 * The model does not answer itself: between two of its turns someone else spoke. If only a single
 * word can be that speaker's name, the turn is split there; that is uncertain, and so is whether
 * such a word ends the last turn.
 */
function settled(parts: readonly SpokenPart[]): { parts: SpokenPart[]; sure: boolean } {
  let sure = true;
  const cut = parts.flatMap((part, i): SpokenPart[] => {
    if (!part.own) return [part];
    // Not by a lookbehind, which takes as long as all else of a large file.
    const found = [...part.text.matchAll(BEHIND)].filter(
      ({ index }) => index > 0 && /\S/.test(part.text[index - 1]!),
    );
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
