/**
 * Everything that the rest of the code needs to know about an environment, as data: one descriptor
 * gives it its place in the registry, in training, in the form and in the export, and its picture.
 * It does not depend on `text`, which encodes its words, nor on `ui`, which draws its sprites.
 */
import type { EnvironmentSpec } from "../spec/experiment.ts";
import type { Environment } from "./environment.ts";
import type { Picture } from "./picture.ts";

export type EnvironmentKind = EnvironmentSpec["kind"];

/** A name that `makeEnvironment` accepts. */
export interface EnvironmentEntry<Options extends object> {
  name: string;
  about: string;
  /** Every option that can be set, with its default. */
  defaults: Options;
  create(options: Options): Environment<object>;
}

/** The heading of the form that a field is under. */
export type FieldPart = "world" | "turns" | "reward" | "chance";

/** A field of the form. Its range and its true/false options are the spec's own. */
export interface EnvironmentField {
  part: FieldPart;
  /** Dotted path in the spec. */
  path: string;
  label: string;
  hint?: string;
  /** The unit of the number, shown after its range. */
  unit?: string;
  /** Shown in grey while the field is empty: the default value. */
  absent?: string;
  /** A choice instead of a number; the value "" omits the field. */
  options?: readonly { value: string; label: string }[];
}

/** Fields that most environments have. */
export const commonFields = {
  maxTurns: { part: "turns", path: "environment.maxTurns", label: "Turns at most" },
  formatPenalty: {
    part: "reward",
    path: "environment.formatPenalty",
    label: "Format penalty",
    hint: "Paid for a turn in bad form",
  },
  /** For an environment whose `think` may be absent. */
  think: {
    part: "turns",
    path: "environment.think",
    label: "Think first",
    options: [
      { value: "", label: "no" },
      { value: "true", label: "yes" },
    ],
  },
} as const satisfies Record<string, EnvironmentField>;

/** What a turn must report for training, in addition to the five-part result. */
export interface PlayInfo {
  /** Names of the executed actions. */
  actions: readonly string[];
  envReward: number;
  formatPenalty: number;
  /** For a played turn: whether it was well formed, whatever the penalty is. */
  wellFormed?: boolean;
  success: boolean;
  turnsLeft: number;
  /** Absent if an episode has no action budget. */
  actionsLeft?: number;
}

/** How to train on it; `Spec` is its part of a spec, `Game` its class. */
export interface Training<Spec, Game extends Environment<PlayInfo>> {
  create(spec: Spec): Game;
  /** Whether turns are random: then each gets a number to draw from. */
  chancy(spec: Spec): boolean;
  /** The task's identity: seeds with the same one are the same task. */
  taskOf(spec: Spec, seed: number): string;
  /** All words of observations and actions for models trained from scratch; their order is their ids. */
  words: { observation: readonly string[]; actions: readonly string[] };
  /** An observation in those words, without spaces. */
  compact(observation: string): string;
  /** The actions that a response may name. */
  actions(game: Game): readonly string[];
  /** The best player's next actions; empty if no response leads to the goal. */
  expert(game: Game): readonly string[];
  /** How near the goal the state is; higher is nearer. */
  potential(game: Game): number;
  /** V*: the best player's remaining return, with this discount per turn. */
  best(game: Game, gamma: number): number;
  /** Q*: the expected return of this response, with the best player after it. Absent if the environment is deterministic. */
  bestAfter?(game: Game, text: string, gamma: number): number;
}

/** The same environment in RAGEN, for the export; `settings` and `instruction` only with `training`. */
interface RagenEnvironment {
  /** The name under which an export registers it. */
  tag: string;
  /** Its type there. */
  type: string;
  /** The rules as they are in the prompt. */
  instruction: string;
  /** Fields of the spec that its configuration there has too. */
  settings: Readonly<Record<string, RagenSetting>>;
}

interface RagenSetting {
  /** Its name there. */
  name: string;
  /** Absent: the same value. */
  translate?(value: string | number | boolean): string | number | boolean;
  /** What is different about it there. */
  why?: string;
}

export interface EnvironmentDescriptor {
  /** Its name in specs, metrics and folders. */
  kind: EnvironmentKind;
  /** Its name in the form. */
  title: string;
  registered: readonly EnvironmentEntry<never>[];
  fields: readonly EnvironmentField[];
  /** The name of one of its tasks, e.g. "level". */
  task: string;
  /** How its observations are shown: as text or picture, or as a clickable page. */
  shownAs: "picture" | "page";
  /** Whether its boards can be edited by hand, for what-if questions. Absent: no. */
  editable?: true;
  /** How to write a response, to complete "the turn's whole response: ...". */
  answers: { form: string; example: string };
  /**
   * An observation as a picture; null if it belongs to another environment, or has nothing to draw.
   */
  picture(observation: string): Picture | null;
  ragen: RagenEnvironment;
  /** Null if `train` has a task family for it. */
  training: Training<never, never> | null;
}

/** Checks that a descriptor's types match, and returns it without them. */
export function describe<Kind extends EnvironmentKind, Game extends Environment<PlayInfo>>(
  descriptor: Omit<EnvironmentDescriptor, "kind" | "training"> & {
    kind: Kind;
    training: Training<Extract<EnvironmentSpec, { kind: Kind }>, Game> | null;
  },
): EnvironmentDescriptor {
  return descriptor as unknown as EnvironmentDescriptor;
}

/** An entry whose options match its constructor. */
export function entry<Options extends object>(one: EnvironmentEntry<Options>) {
  return one as unknown as EnvironmentEntry<never>;
}
