import { counted, plural } from "../../numeric/counted.ts";
import { shortenName } from "../../numeric/inputError.ts";
/** Maximum number of a value's fields that are listed by name. */
const FIELDS = 6;
/** Maximum number of files and metrics that are listed by name. */
const NAMES = 4;
/** Maximum number of unread fields that are listed by name. */
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

/** 6,816 of 6816. */
function grouped(n: number): string {
  return n.toLocaleString("en-US");
}

/** Messages of the importer. */
export const words = {
  /** By the field that no episode of the files had. */
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
  /** A position in the files. */
  place: (kind: "line" | "entry", number: number, file: string | null) =>
    `${kind} ${number}${file === null ? "" : ` of ${file}`}`,
  noJson: "no JSON",
  oddCells: "more or fewer cells than columns",
  noObject: "not a complete JSON object",
  noEpisode: "not of this format",
  noEvent: "JSON, but not a valid event of a run",
  tooLong: "longer than 16 MB, the most that is read of one",
  unread: (count: number, places: readonly string[]) => {
    const lines = counted(count, "line");
    const more = count > places.length ? `, and ${count - places.length} more` : "";
    const where = places.length === 0 ? "" : `: ${places.join(", ")}${more}`;
    return `${lines} of the recording could not be read${where}.`;
  },
  twice: (iteration: number, algorithm: string, more: number) =>
    `Iteration ${iteration} of ${algorithm} is in the recording more than once` +
    `${more > 0 ? `, as ${counted(more, "other does", "others do")}` : ""}: curves show each.`,
  /** For a recording that is shown from its second line on; settings: whether the rest still has them. */
  brokenFirst: (settings: boolean) =>
    "This looks like a Turnbook recording whose first line is broken. What follows that line is shown" +
    (settings
      ? "; only the command that made the file may be missing."
      : ", without the run's settings, which that line held. Panels that need them say so."),
  /**
   * A position in a recording; all but the line counted from 0, null: the whole line, episode or
   * turn.
   */
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
  lostStep: (iteration: number, why: string) =>
    `The episodes of iteration ${iteration} could not be read again. ${why}`,
  unchecked: (why: string) => `Its episodes could not be checked for mistakes. ${why}`,
  evaluationBeside: (names: readonly string[]) =>
    `Left out, as of an evaluation: ${[...new Set(names)].map((name) => name.slice(0, 40)).join(", ")}. Choose it as a file of its own.`,
  /** What was found instead of a known format. */
  found: (place: string, value: unknown, fault: string | null = null) =>
    `The first thing in it, ${place}, is ${kindOf(value)}${fault === null ? "" : `: ${fault}`}.`,
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
  computed:
    "Missing curves are computed from the episodes. Entropy, KL and clips need numbers of each token.",
  cut: (kept: number, all: number) =>
    `${grouped(kept)} of ${grouped(all)} episodes are shown, the first groups of each iteration: more is too long. ` +
    "Groups are whole, unless one alone is too long. Curves count all.",
  repeats: (names: readonly string[]) =>
    `${counted(names.length, "file repeats", "files repeat")} rollouts of others and ` +
    `${plural(names.length, "was", "were")} left out: ${listed(names.slice(0, NAMES), names.length)}.`,
  brokenOff: (name: string, why: string) => `${name} was read up to where that failed. ${why}`,
  skipped: (names: readonly string[]) =>
    `${counted(names.length, "file")} of no known format ${plural(names.length, "was", "were")} skipped: ` +
    `${listed(names.slice(0, NAMES), names.length)}.`,
  /** Each with its kind. */
  skippedBinary: (files: readonly string[]) =>
    `${counted(files.length, "file was", "files were")} skipped. ${listed(files.slice(0, NAMES), files.length)}`,
  binary: (name: string, why: string) => `${name}: ${why}`,
  followed: "New lines and files are shown as they come. An unfinished last line waits.",
  /** In a folder, recognised by their extensions alone. */
  leftInFolder: (names: readonly string[]) =>
    `${counted(names.length, "file")} in the folder ${plural(names.length, "is", "are")} weights, large, or packed in a way that is not read, and ` +
    `${plural(names.length, "was", "were")} skipped: ${listed(names.slice(0, NAMES), names.length)}. ` +
    "Choose one alone to read what can be done.",
  empty: (names: readonly string[]) =>
    `${counted(names.length, "file is", "files are")} empty: ${listed(names.slice(0, NAMES), names.length)}.`,
  sameAs: (name: string, first: string) =>
    name === first ? `${name} came twice` : `${name} is ${first}`,
  sameFile: (pairs: readonly string[]) =>
    `The same file counts once: ${listed(pairs.slice(0, NAMES), pairs.length)}.`,
  run: (run: string, name: string) => `${run === "" ? "without an ending" : run}: ${name}`,
  apart: (runs: readonly string[]) =>
    "Files of other folders or names, and of validation, are runs of their own and are never averaged. " +
    `What a run's name ends in, and its first file: ${listed(runs.slice(0, NAMES), runs.length)}.`,
  alsoForeign: (own: string, foreign: string) =>
    `${own} is a recording of Turnbook, ${foreign} is of another program.`,
  doubled: (names: readonly string[], iteration: number) =>
    `Two values of ${listed(names.slice(0, NAMES), names.length)} are in the files for step ${iteration}: ` +
    "the last is used.",
  settingsOfSome: "One of the runs says no settings, so those of the others are not used either.",
  tally: {
    mixed: (n: number, all: number, task: string) =>
      `In ${grouped(n)} of ${grouped(all)} groups, such as ${shortenName(task)}, rollouts begin with different prompts: ` +
      "what names the group may name a kind of task. Credit within a group compares rollouts of one prompt.",
    repeated: (n: number, all: number, id: string) =>
      `${grouped(n)} of ${grouped(all)} episodes have the id, step and text of another one, such as ${shortenName(id)}: each counts.`,
    unrewarded: (n: number, all: number) =>
      `${grouped(n)} of ${grouped(all)} episodes have no reward that can be read: means use the others.`,
    turnless: (n: number, all: number) =>
      `${grouped(n)} of ${grouped(all)} episodes have no trained token, so no turn.`,
    flat: (n: number, all: number, equal: number) =>
      `In ${grouped(n)} of ${grouped(all)} episodes all advantages are 0 although tokens are trained: they teach nothing.` +
      (equal === 0
        ? ""
        : ` In ${equal === n ? "each" : grouped(equal)} of them all rollouts of the task earned the same.`),
    partly: (n: number, all: number) =>
      `In ${grouped(n)} of ${grouped(all)} episodes some turns have only advantages of 0 although their tokens are ` +
      "trained, and others have not.",
  },
  noStep: "Neither file nor rows name a training step: it is shown as iteration 0.",
  oddStep: (found: string) =>
    `Some rows have no step that is a whole number from 0 to 10 million, such as ${found}: their file's path or order says it.`,
  noSteps:
    "Files and rows name no training step: each file counts as one iteration, in the order of names.",
  clipsComputed: "What the clip cut follows from log-probs, advantages and the clip range.",
  paidLast: "Where rewards of turns are unknown, an episode's reward is paid at its last turn.",
  trainedWith: (method: string, set: Readonly<Record<string, number>>) =>
    `As you said, it was trained with ${method}` +
    Object.entries(set)
      .map(([name, value]) => `, ${name} ${value}`)
      .join("") +
    ".",
  notARow: "Its first value is no object with columns.",
  noColumn: (column: string, field: string) =>
    `Its first row has no column ${shortenName(column)}, which was named as ${field}.`,
  oddColumn: (column: string, field: string, value: string, allowed: string) =>
    `Column ${shortenName(column)}, named as ${field}, has ${value} in the first row; it must have ${allowed}.`,
  oddRewards:
    "Some rows have more or fewer rewards than turns: where no reward of the episode is beside them, it is their sum.",
  noWeights:
    "Some rows have parts of a reward without their weights, and no reward: it counts as unknown. It must be a number in a column called reward or score.",
  oddCell: (column: string, field: string, value: string, allowed: string) =>
    `${shortenName(column)}${column === field ? "" : `, read as ${field},`} is ${value} in some rows, and counts as unknown there; it must be ${allowed}.`,
  oddValue: (column: string, value: string, allowed: string) =>
    `${shortenName(column)} is ${value}, it must be ${allowed}`,
  python: (column: string) =>
    `${shortenName(column)} looks like a Python list that cannot be read: it counts as one text. Save it with json.dumps.`,
  media: "Episodes with the same prompt and the same images count as one task.",
  within: (column: string, field: string) => `${column} is read as ${field}.`,
  noReward:
    "a conversation without a reward, which stands in a column called reward, score, total_reward, return or rewards",
  oddEntries: "Some turns, prompts or responses in the files are no JSON objects and are left out.",
  /** For a run that was saved as one file. */
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
  /** For a columnar recording. */
  columnar: {
    kept: "It keeps the curves of the whole run, and episodes of some iterations.",
    missing: (name: string) => `${name} is missing beside the other files`,
    others: (names: readonly string[]) =>
      `Beside the recording ${counted(names.length, "file was", "files were")} not read: ` +
      `${listed(names.slice(0, NAMES), names.length)}. Choose them by themselves.`,
    refused: (why: string) => `This recording is damaged: ${why}.`,
    again: "Choose another copy of it.",
  },
  refused: {
    empty: ["The file is empty.", "Choose the file that the training program wrote."],
    unknown: (writers: readonly string[]): [string, string] => [
      "This format is not supported.",
      `Choose a recording of Turnbook, or files of ${writers.slice(0, -1).join(", ")} or ${writers.at(-1)!}. ` +
        "Other rollouts are read like verl's once each line has input, output, score and step, and a uid that the rollouts of a task share.",
    ],
    own: [
      "It is a log of Turnbook's own, which needs no import.",
      "Open it on the page, or give it to turnbook explain; doctor --from takes its folder.",
    ],
    unmapped: [
      "No row fits the columns that were named.",
      "Name the column of messages, or those of prompt and completion, and that of the reward.",
    ],
    nothing: ["It has no episodes or numbers to show.", "Check that the file is complete."],
    longLine: (line: number, megabytes: number): [string, string] => [
      `Line ${line} is longer than ${megabytes} MB, the most that is read of one.`,
      "Write one episode in each line.",
    ],
    quotes: (line: number): [string, string] => [
      `Its row at line ${line} is no CSV: a quoted cell does not end, or goes on after its quote.`,
      "Write quotes inside a quoted cell twice, as RFC 4180 says: Python's csv and pandas do.",
    ],
    damaged: (bytes: number): [string, string] => [
      `It is packed, and damaged or not complete${bytes === 0 ? "" : `: ${grouped(bytes)} bytes could be unpacked`}.`,
      "Choose another copy of the file.",
    ],
    bomb: (ratio: number): [string, string] => [
      `It unpacks to more than ${ratio} times its size, so unpacking stopped.`,
      "Unpack it in a terminal, if it is to be trusted, and choose what was in it.",
    ],
    largePart: (megabytes: number): [string, string] => [
      `It is larger than ${megabytes} MB, the most that is read as a whole.`,
      "Choose fewer steps, or lines of JSON, which are read one by one.",
    ],
    tar: (name: string): [string, string] => [
      "It is a tar archive.",
      `In a terminal, tar xf ${name.split("/").at(-1)!} unpacks it; choose what was in it.`,
    ],
    noText: [
      "It is neither text nor packed in a known way.",
      "Choose the files that the training program wrote.",
    ],
    nested: ["It is an archive of archives.", "Unpack it in a terminal and choose what was in it."],
    parquet: (why: string): [string, string] => [
      `This Parquet file could not be read${why === "" ? "" : `: ${why}`}.`,
      "pandas.read_parquet(path).to_json(path + '.jsonl', orient='records', lines=True) makes JSON lines of it, in Python.",
    ],
    longLines: [
      "Its lines are longer than 16 MB, the most that is read of one.",
      "Write fewer episodes into each iteration's line.",
    ],
    mixed: ["These files are of different formats.", "Choose files of one run and one format."],
    many: (most: number): [string, string] => [
      `There are more than ${most} files in it.`,
      "Choose a folder of fewer iterations.",
    ],
    model: ["It is a model, not a run.", "Open it under Your own model."],
    bare: [
      "It holds no log. Allowed: .jsonl, .json, .ndjson, .csv, .tsv, .txt, .parquet, .pkl, .pt, .eval, packed or not.",
      "Choose the folder that holds the files of the run, or the files themselves.",
    ],
    packed: (names: readonly string[]): [string, string] => [
      `All its files are weights, or packed in a way that is not read: ${listed(names.slice(0, NAMES), names.length)}.`,
      "Choose one of them alone to read how to make lines of it.",
    ],
    folder: [
      "It could not be read: it may have been moved or deleted.",
      "Choose the folder where it is now, or the files in it.",
    ],
    gone: [
      "It could not be opened: it is a folder, or was moved or deleted.",
      "Choose the files in the folder, or the file where it is now.",
    ],
    failed: (message: string): [string, string] => [
      `The file could not be read${message === "" ? "" : `: ${message}`}.`,
      "It may be too large for this browser's memory: choose fewer iterations.",
    ],
    /** For recordings after one whose reading failed. */
    notBegun: [
      "It was not read: reading stopped at an earlier file.",
      "Choose it again, without that file.",
    ],
    largeWhole: (size: string, limit: string): [string, string] => [
      `Zip, Parquet and pickle files are read whole: ${size} here; the limit is ${limit}.`,
      "Choose fewer of them. Lines of JSON, also compressed with gzip or Zstandard, have no such limit.",
    ],
    largeUnpacked: (megabytes: number): [string, string] => [
      `Unpacked it is larger than ${megabytes} MB, the most that is read of Turnbook's own logs.`,
      "On the command line turnbook explain reads it: unpack it and give its path.",
    ],
    large: (size: string, limit: string): [string, string] => [
      `Its size is ${size}; the limit is ${limit}.`,
      "Choose fewer iterations: one file per iteration is what most programs write.",
    ],
  },
} as const;
