import { counted, plural } from "../../numeric/counted.ts";
/** Fields of a value that are listed by name, at most. */
const FIELDS = 6;
/** Unread fields that are listed by name, at most. */
const UNREAD = 20;

function kindOf(value: unknown): string {
  if (value === undefined) return "not JSON";
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "JSON, but not an object";
  const names = Object.keys(value).map((name) => name.slice(0, 30));
  const shown = names.slice(0, FIELDS).join(", ");
  return `an object with the fields ${shown || "(none)"}${names.length > FIELDS ? ", …" : ""}`;
}

function listed(places: readonly string[], count: number): string {
  const more = count > places.length ? [`and ${count - places.length} more`] : [];
  return [...places, ...more].join("; ");
}

/** What importing says. */
export const words = {
  /** By what no episode of the files had. */
  absent: {
    tokens: "tokens",
    actions: "which actions a turn took",
    logprobs: "log-probabilities",
    entropy: "entropies",
    advantages: "advantages",
    values: "values",
    returns: "returns",
    ratios: "ratios of turns",
    clips: "what a clip cut",
    turnRewards: "rewards of single turns",
    rewards: "rewards",
    success: "whether an episode succeeded",
    updates: "optimiser steps",
  },
  /** Where in the files something stands. */
  place: (kind: "line" | "entry", number: number, file: string | null) =>
    `${kind} ${number}${file === null ? "" : ` of ${file}`}`,
  noJson: "no JSON",
  noObject: "not a complete JSON object",
  noEpisode: "not of this format",
  noEvent: "JSON, but not a valid event of a run",
  tooLong: "too long",
  unread: (count: number, places: readonly string[]) => {
    const lines = counted(count, "line");
    const more = count > places.length ? `, and ${count - places.length} more` : "";
    const where = places.length === 0 ? "" : `: ${places.join(", ")}${more}`;
    return `${lines} of the recording could not be read${where}.`;
  },
  /** Of a recording that is shown from its second line on; settings: whether they are in what is left. */
  brokenFirst: (settings: boolean) =>
    "This looks like a Turnbook recording whose first line is broken. What follows that line is shown" +
    (settings
      ? "; only the command that made the file may be missing."
      : ", without the run's settings, which that line held. Panels that need them say so."),
  /** Where in a recording something stands; all but the line counted from 0, null: the whole of it. */
  part: (line: number, episode: number | null, turn: number | null, token: number | null) =>
    [`line ${line}`]
      .concat(episode === null ? [] : [`episode ${episode + 1}`])
      .concat(turn === null ? [] : [`turn ${turn + 1}`])
      .concat(token === null ? [] : [`token ${token + 1}`])
      .join(", "),
  missing: "missing",
  misfit: (at: string, field: string, what: string, allowed: string) =>
    `${at}${field === "" ? "" : `: ${field}`} is ${what}, it must be ${allowed}`,
  leftOut: (count: number, places: readonly string[]) =>
    `${counted(count, "episode")} of the recording could not be read and ` +
    `${count === 1 ? "is" : "are"} left out: ${listed(places, count)}.`,
  leftOutLists: (count: number, places: readonly string[]) =>
    `${counted(count, "list")} of episodes or optimiser steps could not be read: ` +
    `${listed(places, count)}.`,
  unchecked: (why: string) => `Its episodes could not be checked for mistakes. ${why}`,
  /** What was found instead of a known format. */
  found: (place: string, value: unknown) => `The first thing in it, ${place}, is ${kindOf(value)}.`,
  notFinite: (count: number, places: readonly string[]) => {
    const are = counted(count, "number is", "numbers are");
    const meaning =
      count === 1
        ? "It counts as unknown: panels leave it out"
        : "They count as unknown: panels leave them out";
    const where = places.length === 0 ? "" : ` (first in ${places.join(", ")})`;
    return (
      `${are} NaN or infinite in the files${where}: training may have failed there. ` +
      `${meaning}, and means use the others.`
    );
  },
  unreadFields: (names: readonly string[]) => {
    const shown = names.slice(0, UNREAD).map((name) => name.slice(0, 40));
    const more = names.length > UNREAD ? ` and ${names.length - UNREAD} more` : "";
    return `The files also have ${shown.join(", ")}${more}, which no panel shows.`;
  },
  computed: "Curves of reward, success and turns are means over the episodes in the files.",
  cut: "Some iterations have too many episodes to show: their first ones are shown, their curves count all.",
  verl: {
    split: "Turns were separated by the words that name the speaker (user, assistant).",
    unsure:
      "In some episodes the end of a turn is uncertain: the model itself may have written the word that names the next " +
      "speaker. Text shown as the environment's may be the model's, and vice versa.",
    prompt: "Episodes with the same prompt count as one task.",
  },
  primeRl: {
    noText: (tokens: number) => `[${tokens} tokens; the file has their numbers, not their text]`,
    tokenText: "The export has no text: each token is shown by its number.",
    ratio: "Ratios compare the trainer with the sampler (inference), as prime-rl does.",
    masked:
      "A token counts as clipped where prime-rl masked it out of the loss (is_masked), a turn where one of its tokens does.",
    version: (version: number) =>
      `The files say format ${version}; this page knows format 1 and may misread them.`,
  },
  ragen: {
    penalty:
      "RAGEN's format penalty is part of an episode's reward, not of any turn's. " +
      "Credits count it in the last turn, as RAGEN does.",
    score:
      "Scores are those RAGEN trained on: they include format penalties, and reward normalisation where it was on.",
    action: (id: number) => `action ${id}`,
    iteration: "The files do not name the training step: each file counts as one iteration.",
  },
  unipo: {
    oneTurn: "Each response is an episode of one turn.",
    left: (n: number) =>
      `${counted(n, "entry", "entries")} without a usable step ${plural(n, "is", "are")} left out.`,
    ownReward: "Where an entry gives a mean reward of its own, the curve of reward has that.",
    settings: (set: Readonly<Record<string, number>>, groupSize: number | null) => {
      const named = Object.entries(set).map(([name, value]) => `${name} ${value}`);
      const group = groupSize === null ? [] : [`responses of a prompt ${groupSize}`];
      return (
        `Settings come from the header: ${[...named, ...group].join(", ")}. ` +
        "Others are assumed to be the method's usual ones, without dual clip."
      );
    },
    missingSettings: (missing: readonly string[]) =>
      `The header's settings are not used, because it lacks ${missing.join(", ")}.`,
    oddSettings:
      "The header's settings are not used: the method, or one of its numbers, is unknown.",
  },
  /** Of a run that was saved as one file. */
  saved: {
    damaged: (why: string) => `This saved run is damaged: ${why}.`,
    again: "Choose another copy of the file, or save the run again.",
    seal: "its SHA-256 does not match",
    missing: "it has no turnbook-run.json or no events.jsonl",
    otherSpec: "its checkpoint belongs to another experiment",
    otherLog: "its checkpoint does not belong to its log",
    large: (name: string, megabytes: number): [string, string] => [
      `Its ${name} is larger than ${megabytes} MB, the most that can be read here.`,
      "Unzip it into a folder: the command turnbook train SPEC --out FOLDER continues it there.",
    ],
  },
  /** Of a columnar recording. */
  columnar: {
    kept: "It keeps the curves of the whole run, and episodes of some iterations.",
    missing: (name: string) => `${name} is missing beside the other files`,
    refused: (why: string) => `This recording is damaged: ${why}.`,
    again: "Choose another copy of it.",
  },
  refused: {
    empty: ["The file is empty.", "Choose the file that the training program wrote."],
    unknown: [
      "This format is not supported.",
      "Choose a recording of Turnbook, rollout files of verl, prime-rl's token export, RAGEN's rollout histories, or a log of UNIPO.",
    ],
    nothing: ["It has no episodes or numbers to show.", "Check that the file is complete."],
    mixed: ["These files are of different formats.", "Choose files of one run and one format."],
    many: (most: number): [string, string] => [
      `There are more than ${most} files in it.`,
      "Choose a folder of fewer iterations.",
    ],
    bare: [
      "No file in it ends in .jsonl, .json, .ndjson or .txt.",
      "Choose the folder that holds the files of the run, or the files themselves.",
    ],
    folder: [
      "It could not be read: it may have been moved or deleted.",
      "Choose the folder where it is now, or the files in it.",
    ],
    gone: [
      "It could not be opened: it is a folder, or was moved or deleted.",
      "Choose the files in the folder, or the file where it is now.",
    ],
    zipped: ["This file is compressed.", "Unpack it first, then choose its contents."],
    parquet: [
      "This is a Parquet file, which cannot be read here.",
      "Of verl’s generations (main_generation), pandas.read_parquet(path).to_json(path + '.jsonl', orient='records', lines=True) " +
        "makes one that can, in Python. A data set of prompts has no episodes to show: verl writes its rollouts, with their " +
        "scores, as JSON lines into the folder trainer.rollout_data_dir.",
    ],
    pickle: [
      "This is a Python pickle. Opening one would run its code, so this page does not.",
      "In RAGEN's environment this writes what can be read here: python -c \"import json; from verl import DataProto; d = DataProto.load_from_disk('rollouts.pkl'); json.dump([{**i.non_tensor_batch, 'score': i.batch['rm_scores'].sum().item()} for i in d], open('rollouts.json', 'w'), default=lambda o: o.tolist() if hasattr(o, 'tolist') else str(o))\"",
    ],
    failed: (message: string): [string, string] => [
      `The file could not be read${message === "" ? "" : `: ${message}`}.`,
      "It may be too large for this browser's memory: choose fewer iterations.",
    ],
    /** Of a recording that stood behind one whose reading broke off. */
    notBegun: [
      "It was not read: reading stopped at an earlier file.",
      "Choose it again, without that file.",
    ],
    large: (size: string, limit: string): [string, string] => [
      `Its size is ${size}; the limit is ${limit}.`,
      "Choose fewer iterations: one file per iteration is what most programs write.",
    ],
  },
} as const;
