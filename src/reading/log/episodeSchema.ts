/**
 * What an iteration's episodes must contain before a panel sees them; messages of the checks say
 * what is allowed. Invalid episodes are left out one by one, and reported.
 */
import { z } from "../../spec/zod.ts";
import type {
  EpisodeRecord,
  TokenRecord,
  TurnRecord,
  UpdateRecord,
} from "../../record/runEvent.ts";
import type { IterationDetails } from "./iterationDetails.ts";

const NUMBER = "a number or null";
const WHOLE = "a whole number";
const TEXT = "a text";
const LIST = "a list";
const OBJECT = "an object";

const text = z.string(TEXT);
const nullable = z.nullable(z.number(NUMBER));
/** Null if a foreign file does not have it. */
const flag = z.nullable(z.boolean("true, false or null"));
/** In sums an absent number must not count as 0. */
const absentIsNaN = z.pipe(
  nullable,
  z.transform((value) => value ?? NaN),
);

const turn = z.looseObject(
  {
    observation: text,
    text,
    actions: z.nullable(z.array(text, "a list of texts, or null")),
    reward: absentIsNaN,
    formatPenalty: absentIsNaN,
    processReward: z.optional(absentIsNaN),
    value: nullable,
    advantage: nullable,
    return: nullable,
    ratio: nullable,
    clipped: flag,
    gain: z.optional(absentIsNaN),
    chance: z.optional(z.int(WHOLE).check(z.gte(0, WHOLE))),
    tokens: z.pipe(z.custom<TokenRecord[]>(areTokens, LIST), z.transform(withNaN)),
  },
  OBJECT,
);
const episode = z.looseObject(
  {
    trajectory: z.int(WHOLE),
    task: text,
    seed: absentIsNaN,
    reward: absentIsNaN,
    penalty: z.optional(absentIsNaN),
    apart: z.optional(z.boolean()),
    greedyScore: z.optional(absentIsNaN),
    success: flag,
    terminated: flag,
    truncated: flag,
    finalObservation: text,
    finalValues: z.optional(z.record(z.string(), absentIsNaN, OBJECT)),
    turns: z.array(turn, LIST),
  },
  OBJECT,
);

/** Why part of a line is left out. */
export interface Misfit {
  /** Index among the line's episodes from 0; null: not in one of them. */
  episode: number | null;
  /** Names and indices from 0 that lead to the field; empty: the episode itself. */
  path: readonly PropertyKey[];
  value: unknown;
  /** For example "a number or null". */
  allowed: string;
}

/** The valid parts of an iteration's line; `onMisfit` receives the rest, once for each episode. */
export function readDetails(
  line: unknown,
  onMisfit: (misfit: Misfit) => void = () => {},
): IterationDetails {
  if (!isFields(line)) {
    onMisfit({ episode: null, path: [], value: undefined, allowed: OBJECT });
    return { episodes: [], updates: null };
  }
  const { episodes = [], updates } = line;
  const listOf = (name: string, value: unknown) => {
    if (Array.isArray(value)) return value as unknown[];
    onMisfit({ episode: null, path: [name], value, allowed: LIST });
    return null;
  };
  const read = (listOf("episodes", episodes) ?? []).flatMap((value, place) => {
    const { success, data, error } = episode.safeParse(value);
    if (success) return [played(data)];
    onMisfit({ episode: place, ...episodeMisfit(value, error.issues[0]!) });
    return [];
  });
  const steps = updates === undefined ? null : listOf("updates", updates);
  return { episodes: read, updates: steps as UpdateRecord[] | null };
}

/** The turn if it is valid, else null. */
export function readTurn(value: unknown): TurnRecord | null {
  return (turn.safeParse(value).data as TurnRecord | undefined) ?? null;
}

/** An episode whose turns have been read; null if another part of it is invalid. */
export function readEpisode(value: unknown, turns: TurnRecord[]): EpisodeRecord | null {
  // Checked before the schema, which takes long to explain an error: there may be a million of
  // them.
  if (!isFields(value) || !Number.isInteger(value["trajectory"])) return null;
  const { success, data } = episode.safeParse({ ...value, turns: [] });
  return success ? { ...played(data), turns } : null;
}

/** Episodes in a file count as played: only the page itself makes forks, and recognises them by their `origin`. */
function played({ origin: _, ...rest }: z.infer<typeof episode>): EpisodeRecord {
  return rest as unknown as EpisodeRecord;
}

type OwnFields = Readonly<Record<PropertyKey, unknown>>;

function isFields(value: unknown): value is OwnFields {
  return typeof value === "object" && value !== null;
}

function episodeMisfit(
  episode: unknown,
  { path, message }: z.core.$ZodIssue,
): Omit<Misfit, "episode"> {
  const value = path.reduce<unknown>((at, key) => (isFields(at) ? at[key] : undefined), episode);
  const token = path.at(-1) === "tokens" && Array.isArray(value) ? firstMisfit(value) : null;
  if (token) return { ...token, path: [...path, ...token.path] };
  return { path, value, allowed: message };
}

type Rule = readonly [name: string, fits: (value: unknown) => boolean, allowed: string];

/** Required fields of a token. Checked by hand, because there may be a hundred thousand of them in one iteration. */
const TOKEN: readonly Rule[] = [
  ["id", Number.isInteger, WHOLE],
  ["text", (value) => typeof value === "string", TEXT],
  ["advantage", isNullable, NUMBER],
  ["value", isNullable, NUMBER],
  ["clipped", isFlag, "true or false, or absent"],
];

function areTokens(value: unknown): boolean {
  return Array.isArray(value) && value.every(isToken);
}

function isToken(value: unknown): boolean {
  return isFields(value) && TOKEN.every(([name, fits]) => fits(value[name]));
}

function isFlag(value: unknown): boolean {
  return value == null || typeof value === "boolean";
}

function isNullable(value: unknown): boolean {
  return value === null || typeof value === "number";
}

/** The first invalid token, and why; null if all are valid. */
function firstMisfit(tokens: readonly unknown[]): Omit<Misfit, "episode"> | null {
  const place = tokens.findIndex((token) => !isToken(token));
  if (place < 0) return null;
  const token = tokens[place];
  if (!isFields(token)) return { path: [place], value: token, allowed: OBJECT };
  const [name, , allowed] = TOKEN.find(([key, fits]) => !fits(token[key]))!;
  return { path: [place, name], value: token[name], allowed };
}

const MEASURED = ["oldLogprob", "logprob", "entropy"] as const;
/** The same, of the methods that record them. */
const SOMETIMES = ["refLogprob", "rolloutLogprob", "sumPiSquared"] as const;

/** Fields that panels do not expect to be absent become NaN, which no sum hides. The tokens belong to this reader. */
function withNaN(tokens: TokenRecord[]): TokenRecord[] {
  for (const token of tokens) {
    for (const name of MEASURED) if (typeof token[name] !== "number") token[name] = NaN;
    for (const name of SOMETIMES)
      if (name in token && typeof token[name] !== "number") token[name] = NaN;
  }
  return tokens;
}
