/**
 * All that the rest of the house needs to know of an environment, as data: one descriptor gives it its place in the
 * registry, in training, in the form, in the export, and its picture. It knows neither `text`, which encodes its words,
 * nor `ui`, which draws its sprites.
 */
import type { EnvironmentSpec } from "../spec/experiment.ts";
import type { Environment } from "./environment.ts";
import type { Picture } from "./picture.ts";

export type EnvironmentKind = EnvironmentSpec["kind"];

/** A name under which `makeEnvironment` makes it. */
export interface EnvironmentEntry<Options extends object> {
  name: string;
  about: string;
  /** Every option that can be set, with its default. */
  defaults: Options;
  create(options: Options): Environment<object>;
}

/** Under which heading of the form a field stands. */
export type FieldPart = "world" | "turns" | "reward" | "chance";

/** A field of the form. Its range and its options of true and false are the spec's own. */
export interface EnvironmentField {
  part: FieldPart;
  /** Dotted path in the spec. */
  path: string;
  label: string;
  hint?: string;
  /** What the number counts, after its range. */
  unit?: string;
  /** Shown in grey while the field is empty: the value that stands for it then. */
  absent?: string;
  /** A choice instead of a number; the value "" leaves the field out. */
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
  /** Of an environment whose `think` may be absent. */
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

/** Beside the five-part result, what a turn must report so that it can be trained on. */
export interface PlayInfo {
  /** Names of the executed actions. */
  actions: readonly string[];
  envReward: number;
  formatPenalty: number;
  /** Of a turn that was played: whether it was in good form, whatever bad form costs. */
  wellFormed?: boolean;
  success: boolean;
  turnsLeft: number;
  /** Absent where an episode has no budget of actions. */
  actionsLeft?: number;
}

/** How it is trained on; `Spec` is what a spec says of it, `Game` its class. */
export interface Training<Spec, Game extends Environment<PlayInfo>> {
  create(spec: Spec): Game;
  /** Whether turns leave something to chance: then each is given a number to draw from. */
  chancy(spec: Spec): boolean;
  /** What makes the task of a seed what it is: tasks that have it in common are one. */
  taskOf(spec: Spec, seed: number): string;
  /** Every word that an observation or an action is written in for models from scratch; their order is their ids. */
  words: { observation: readonly string[]; actions: readonly string[] };
  /** An observation in those words, without spaces. */
  compact(observation: string): string;
  /** What can be said, as actions. */
  actions(game: Game): readonly string[];
  /** What the best player says next; nothing where no response leads to the goal. */
  expert(game: Game): readonly string[];
  /** How near the goal it stands; higher is nearer. */
  potential(game: Game): number;
  /** V*: what the best player would still earn, with this discount from turn to turn. */
  best(game: Game, gamma: number): number;
  /** Q*: what this response earns on average, with the best player after it. Absent where nothing is left to chance. */
  bestAfter?(game: Game, text: string, gamma: number): number;
}

/** The same environment in RAGEN, for the export; `settings` and `instruction` only where `training` is given. */
interface RagenEnvironment {
  /** The name that an export registers it under. */
  tag: string;
  /** Its type there. */
  type: string;
  /** The rules as the prompt has them. */
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
  /** What one of its tasks is called, e.g. "level". */
  task: string;
  /** How its observations are shown: as text or picture, or as a page to click on. */
  shownAs: "picture" | "page";
  /** Whether its boards can be changed by hand, to ask what becomes of them. Absent: not. */
  editable?: true;
  /** How a response is written, to complete "the turn's whole response: ...". */
  answers: { form: string; example: string };
  /** An observation as a picture; null where it is none of its own, or has nothing to draw. */
  picture(observation: string): Picture | null;
  ragen: RagenEnvironment;
  /** Null where a family of its own in `train` says how. */
  training: Training<never, never> | null;
}

/** A descriptor whose parts fit each other; what is kept forgets the types. */
export function describe<Kind extends EnvironmentKind, Game extends Environment<PlayInfo>>(
  descriptor: Omit<EnvironmentDescriptor, "kind" | "training"> & {
    kind: Kind;
    training: Training<Extract<EnvironmentSpec, { kind: Kind }>, Game> | null;
  },
): EnvironmentDescriptor {
  return descriptor as unknown as EnvironmentDescriptor;
}

/** An entry whose options fit its maker. */
export function entry<Options extends object>(one: EnvironmentEntry<Options>) {
  return one as unknown as EnvironmentEntry<never>;
}
