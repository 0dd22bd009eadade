/**
 * verl's rollout files: one JSON object per line with `input`, `output`, `score`, `step`, `gts`,
 * and the reward function's additions (`acc`, ...). One file per step, named after it, for rollouts
 * and validation alike. Also the output of verl's main_generation after conversion from Parquet:
 * `prompt` (messages) and its `responses`.
 */
import { heardIn, splitDialogue } from "./dialogue.ts";
import { bareTurn, warnOnce, type Findings, type ForeignEpisode, type Format } from "./foreign.ts";
import { ROW_NAMES } from "./choices.ts";
import { Digests } from "./digests.ts";
import type { FileSource } from "./sources.ts";
import {
  shortDigest,
  flagOf,
  listOf,
  nameFrom,
  namesInOrder,
  numbersOf,
  numberOf,
  rewardCell,
  stepFrom,
  textOrNull,
  unknownIn,
  type Fields,
} from "./values.ts";
import { words } from "./words.ts";
import { show } from "../../numeric/inputError.ts";
import { isRecord } from "../../spec/jsonText.ts";

/** What the page says of verl's files. */
export const verlWords = {
  marks: (of: string) =>
    `Turns were separated by the marks of a chat template, taken for that of ${of}.`,
  names: (of: string) =>
    `Turns were separated by the words that name the speaker, as the template of ${of} leaves them without its marks.`,
  tags: "Turns were separated by the tags of what tools answered.",
  keys: "Groups and episodes come from uid, which is task, session and output.",
  group: (column: string) => `Groups come from ${column}.`,
  outputs:
    "Several outputs of a session are one episode: its reward is the last one's score, counted once.",
  incomplete: "Some sessions lack an output, by the numbers in uid: their episodes are not whole.",
  scores: "Outputs of one session have different scores: the last one's is the episode's.",
  repeated: "Some rows are in the files twice, with the same uid and text, and count once.",
  otherStep: "Some rows say another step than their file's path: the row's is used.",
  unknownTemplate:
    "How speakers are named in these texts is not known, or their marks were left out: one turn may be several. " +
    "Known are the chat templates of Qwen, Llama, Gemma and gpt-oss, and those of GLM, DeepSeek and Mistral with their marks.",
  unsure:
    "In some episodes the end of a turn is uncertain: the model itself may have written the word that names the next " +
    "speaker. Text shown as the environment's may be the model's, and vice versa.",
  prompt: "Episodes with the same prompt count as one task.",
} as const;

const ALGORITHM = "verl";
/** Columns that are not measurements of the reward function. */
const OWN = ["score", ...ROW_NAMES.step];
/** Columns that name a group; others may name a kind of task. */
const GROUPS = ["uid", ...ROW_NAMES.group.filter((one) => one !== "task" && one !== "group")];

/** Columns that are read; other numbers become curves. */
const KNOWN = new Set(["input", "output", "acc", "request_id", ...GROUPS, ...OWN]);

const REWARD = "a number, true or false, or a list of numbers";

type NameTask = (key: string) => string;

export const verl: Format = {
  apart: "name",
  fits: (value) =>
    isRecord(value) &&
    ((typeof value["input"] === "string" && typeof value["output"] === "string") ||
      generationsOf(value) !== null),
  reader(findings) {
    const taskName = namesInOrder("prompt");
    const sessions = new Sessions();
    let run = "";
    const write = (session: VerlSession) => {
      const episode = episodeOf(session, taskName, findings);
      findings.episode(ALGORITHM + run, session.step, episode);
      findings.measured(ALGORITHM + run, session.step, extrasOf(session.rows.at(-1)!));
    };
    return {
      take(value, file) {
        if (!verl.fits(value)) return misfitIn(value);
        const row = value as Fields;
        run = file.run;
        const step = stepOf(row, file, findings);
        const generations = generationsOf(row);
        if (generations) {
          findings.assume(verlWords.prompt);
          for (const text of generations)
            findings.episode(ALGORITHM + run, step, generated(row, text, taskName));
          return true;
        }
        findings.unread(unknownIn(row, KNOWN).filter((name) => numberOf(row[name]) === null));
        if (!sessions.take(row, step, run)) write(aloneIn(row, step));
        sessions.overflow().forEach(write);
        return true;
      },
      endFile() {
        sessions.end().forEach(write);
        if (sessions.repeated > 0) findings.warn(verlWords.repeated);
      },
    };
  },
};

/** What is wrong with a row that has the names of verl's; false if it has not. */
function misfitIn(value: unknown): string | false {
  if (!isRecord(value)) return false;
  const odd = ["input", "output"].find((name) => name in value && typeof value[name] !== "string");
  return odd === undefined ? false : words.oddValue(odd, show(value[odd]), "a text");
}

/** The row's own step; else that of the file's path, or the file's index. */
function stepOf(row: Fields, file: FileSource, findings: Findings): number {
  const said = ROW_NAMES.step.map((name) => row[name]);
  const { step: own, isSaid, odd } = stepFrom(file, ...said);
  if (odd !== undefined) warnOnce(findings, "step", words.oddStep(show(odd)));
  else if (!isSaid) findings.assume(file.iteration === 0 ? words.noStep : words.noSteps);
  if (file.step !== null && own !== file.step) findings.assume(verlWords.otherStep);
  return own;
}

/** A row of the trainers before V1: rows with the same prompt form a group. */
function aloneIn(row: Fields, step: number): VerlSession {
  const by = GROUPS.find((name) => nameFrom(row[name]) !== null) ?? null;
  const group = by === null ? textOrNull(row["input"])! : nameFrom(row[by])!;
  return { step, group, rows: [row], keyed: false, by, incomplete: false };
}

/** Answers to one prompt, as main_generation writes them; null: the row has none. */
function generationsOf(row: Fields): string[] | null {
  const answers = listOf(row["responses"]);
  if (!answers || row["prompt"] == null || !answers.every((one) => typeof one === "string"))
    return null;
  return [...answers] as string[];
}

/** One answer as an episode of one turn; it has no score yet. */
function generated({ prompt, uid }: Fields, text: string, taskName: NameTask): ForeignEpisode {
  const said = listOf(prompt)?.map((one) =>
    isRecord(one) ? (textOrNull(one["content"]) ?? "") : "",
  );
  const asked = said?.join("\n") ?? textOrNull(prompt) ?? "";
  return {
    task: taskName(textOrNull(uid) ?? asked),
    seed: null,
    reward: null,
    success: null,
    terminated: null,
    truncated: null,
    finalObservation: "",
    turns: [bareTurn(asked, text)],
  };
}

/** The score of the last output is the episode's: verl copies it to the others, and computes GRPO from it alone. */
function episodeOf(session: VerlSession, taskName: NameTask, findings: Findings): ForeignEpisode {
  const { turns, rest } = conversationOf(session, findings);
  const last = session.rows.at(-1)!;
  const paid = ["score", ...ROW_NAMES.reward].find((name) => last[name] != null) ?? "score";
  const score = rewardCell(last[paid]);
  if (score === null && last[paid] != null)
    warnOnce(findings, paid, words.oddCell(paid, "reward", show(last[paid]), REWARD));
  noteSession(session, findings);
  return {
    task: taskName(session.group),
    seed: null,
    reward: score,
    success: flagOf(last["acc"]),
    terminated: null,
    truncated: null,
    finalObservation: rest,
    // The score of an episode of one turn belongs to that turn; with more turns, the file does not
    // say which.
    turns: turns.map(({ observation, text }) => ({
      ...bareTurn(observation, text),
      reward: turns.length === 1 ? score : null,
    })),
  };
}

function noteSession({ rows, keyed, by, incomplete }: VerlSession, findings: Findings): void {
  const named = by === null ? verlWords.prompt : verlWords.group(by);
  findings.assume(keyed ? verlWords.keys : named);
  if (incomplete) findings.warn(verlWords.incomplete);
  if (rows.length === 1) return;
  findings.assume(verlWords.outputs);
  if (rows.some(({ score }) => score !== rows[0]!["score"])) findings.warn(verlWords.scores);
}

/** How a text was cut into turns. */
export function noteTurns(
  { turns, sure, known, of, marked }: ReturnType<typeof splitDialogue>,
  findings: Findings,
): void {
  if (!sure) findings.assume(verlWords.unsure);
  if (!known) findings.assume(verlWords.unknownTemplate);
  if (turns.length < 2) return;
  if (of === null) findings.assume(verlWords.tags);
  else findings.assume(marked ? verlWords.marks(of) : verlWords.names(of));
}

/** With several outputs, each prompt repeats what came before: the observation in between is the part it adds. */
function conversationOf({ rows }: VerlSession, findings: Findings) {
  let before = "";
  let rest = "";
  const turns = rows.flatMap((row, k) => {
    const [input, output] = [textOrNull(row["input"])!, textOrNull(row["output"])!];
    const dialogue = splitDialogue(input, output);
    noteTurns(dialogue, findings);
    const [first, ...others] = dialogue.turns;
    const goesOn = k > 0 && input.startsWith(before);
    const observation = goesOn ? heardIn(input, input.slice(before.length)) : input;
    before = input + output;
    rest = dialogue.rest;
    return [{ ...first!, observation }, ...others];
  });
  return { turns, rest };
}

/** The reward function's own columns; their means become curves. */
function extrasOf(row: Fields): Record<string, number> {
  const entries = Object.entries(numbersOf(row)).filter(([name]) => !OWN.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [`${name}/mean`, value]));
}

// Rows of verl's trainer V1, whose `uid` is `{uid}_{session}_{output}`
// (`verl/trainer/ppo/v1/trainer_base.py`): a session is one rollout of a task, and an agent loop
// may return several outputs in it, usually one per turn, each with the score of the final one
// copied to it. Split from the right, since the task's own uid may contain anything.

/** One rollout: its rows in the order of their outputs. */
interface VerlSession {
  step: number;
  /** The common name of rows of one task. */
  group: string;
  rows: Fields[];
  /** Whether group and outputs were in the uid; otherwise the row is alone and its whole uid names the group. */
  keyed: boolean;
  /** The column that names the group; null: its prompt does. */
  by: string | null;
  /** Whether an earlier output of it is missing. */
  incomplete: boolean;
}

interface HeldRow {
  row: Fields;
  step: number;
  uid: string;
  group: string;
  session: string;
  output: number;
}

const KEY = /^(.+)_(\d+)_(\d+)$/s;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Characters of rows that are held at once: verl writes those of a session one after another. */
const WINDOW = 16 << 20;
/** Of the window: as much is held when another step begins. */
const PARTS = 16;

/** Collects the rows of a file until their sessions are complete. */
export class Sessions {
  /** Repeated rows, which count once. */
  repeated = 0;
  #held: HeldRow[] = [];
  #length = 0;
  /** Digests of what was written under each uid, in this file and earlier ones. */
  #seen = new Digests();
  #doubled = false;
  /** Whether uids are keys, once some of the file's rows were released. */
  #areKeys: boolean | null = null;
  readonly #window: number;

  constructor(window = WINDOW) {
    this.#window = window;
  }

  /** False if the row has no such uid. @param run the run that its uids belong to */
  take(row: Fields, step: number, run: string): boolean {
    const uid = textOrNull(row["uid"]) ?? "";
    const [, group, session, output] = KEY.exec(uid) ?? [];
    if (group === undefined || session === undefined) return false;
    const place = shortDigest(`${run} ${step} ${uid}`);
    const written = `${textOrNull(row["input"])}\n${textOrNull(row["output"])}`;
    const text = shortDigest(written);
    const before = this.#seen.get(place);
    if (before === text) this.repeated++;
    else {
      // A uid of several answers names their task, whatever it looks like.
      if (before !== undefined) this.#doubled = true;
      this.#seen.set(place, text);
      this.#held.push({ row, step, uid, group, session, output: Number(output) });
      this.#length += written.length;
    }
    return true;
  }

  /** Sessions before that of the last row, if more is held than may be; one that goes on later is incomplete twice. */
  overflow(): VerlSession[] {
    const [before, last] = [this.#held.at(-2), this.#held.at(-1)];
    const isNext = before !== undefined && before.step !== last!.step;
    if (!last || this.#length <= (isNext ? this.#window / PARTS : this.#window)) return [];
    const open = this.#held.filter((one) => keyOf(one) === keyOf(last));
    const sessions = this.#release(this.#held.filter((one) => keyOf(one) !== keyOf(last)));
    this.#held = open;
    return sessions;
  }

  /** All sessions that are held, at the end of a file. */
  end(): VerlSession[] {
    const sessions = this.#release(this.#held);
    this.#held = [];
    this.#doubled = false;
    this.#areKeys = null;
    return sessions;
  }

  #release(held: readonly HeldRow[]): VerlSession[] {
    const sessions = sessionsOf(held);
    this.#length = 0;
    this.#areKeys ??=
      !this.#doubled && sessions.every((rows) => UUID.test(rows[0]!.group) || isWhole(rows));
    if (!this.#areKeys) return held.map(aloneOf);
    return sessions.map((rows) => ({
      step: rows[0]!.step,
      group: rows[0]!.group,
      rows: rows.map(({ row }) => row),
      keyed: true,
      by: "uid",
      incomplete: !isWhole(rows),
    }));
  }
}

function sessionsOf(held: readonly HeldRow[]): HeldRow[][] {
  const sessions = new Map<string, HeldRow[]>();
  for (const one of held) {
    const rows = sessions.get(keyOf(one));
    if (rows) rows.push(one);
    else sessions.set(keyOf(one), [one]);
  }
  return [...sessions.values()].map((rows) => rows.sort((a, b) => a.output - b.output));
}

function keyOf({ step, group, session }: HeldRow): string {
  return `${step} ${group} ${session}`;
}

/** Whether its outputs are numbered from 0 without a gap. */
function isWhole(rows: readonly HeldRow[]): boolean {
  return rows.every(({ output }, i) => output === i);
}

function aloneOf({ row, step, uid }: HeldRow): VerlSession {
  return { step, group: uid, rows: [row], keyed: false, by: "uid", incomplete: false };
}
