/**
 * User code that an experiment trains with, by name: a reward, an estimator, a ratio, a clip rule, an aggregation, a batch
 * filter, a regulariser, a turn segmentation, an environment, a prompt or an expert. Its source is part of the spec, and so of the fingerprint;
 * `record/definitions.ts` defines the input and output of each kind. This file only handles the
 * source: nothing is run.
 */
import { z } from "./zod.ts";
import { InputError, show } from "../numeric/inputError.ts";

/** Kinds that stand in place of a row's own choice on that axis, by the row's name: turn-ppo@mine, turn-ppo@clip-mine. */
export const ROW_KINDS = [
  "estimator",
  "ratio",
  "clip",
  "aggregation",
  "filter",
  "regulariser",
] as const;

export const DEFINITION_KINDS = [
  "reward",
  ...ROW_KINDS,
  "segmentation",
  "environment",
  "prompt",
  "expert",
] as const;

export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

export type RowKind = (typeof ROW_KINDS)[number];

/** Maximum definitions of one experiment. */
const MOST_DEFINITIONS = 16;
/** Maximum characters of one definition, and of all of an experiment. */
const LONGEST_DEFINITION = 20_000;
export const LONGEST_DEFINITIONS = 60_000;
/** A name is a word that can be used in addresses, tables and files. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
/** Words with a special meaning as a value in a link. */
const TAKEN = ["default", "null", "true", "false"];

const definition = z.strictObject({
  kind: z.enum(DEFINITION_KINDS),
  name: z.string(),
  /** JavaScript or TypeScript source. */
  source: z.string(),
});

/** Absent: the experiment defines nothing. */
export const definitionsSchema = z.array(definition).check(z.maxLength(MOST_DEFINITIONS));

export type Definition = z.infer<typeof definition>;

/** Names a definition of an experiment; for an imported one it may be missing. */
export type DefinitionRef = Pick<Definition, "kind" | "name">;

/** A field of a spec that names a definition. */
export interface NamedUse extends DefinitionRef {
  /** Dotted path of the field. */
  field: string;
}

/**
 * Checks names and lengths, and that each used definition exists. @throws InputError naming the
 * field, the value and what is allowed.
 */
export function checkDefinitions(
  definitions: readonly Definition[] = [],
  uses: readonly NamedUse[] = [],
): void {
  const seen = new Set<string>();
  for (const [i, { name, source }] of definitions.entries()) {
    const field = `definitions[${i}]`;
    if (!NAME.test(name))
      throw new InputError(
        `${field}.name is ${show(name)}; it must be a letter, then at most 31 letters, digits or _`,
      );
    if (TAKEN.includes(name))
      throw new InputError(
        `${field}.name is ${show(name)}; it must be none of ${TAKEN.join(", ")}, which mean something else in a link`,
      );
    if (seen.has(name)) throw new InputError(`${field}.name is ${show(name)} a second time`);
    seen.add(name);
    checkLength(`${field}.source`, source.length, LONGEST_DEFINITION);
  }
  const all = definitions.reduce((sum, { source }) => sum + source.length, 0);
  checkLength("all of definitions", all, LONGEST_DEFINITIONS);
  for (const use of uses) checkUse(use, definitions);
}

function checkLength(what: string, length: number, most: number): void {
  if (length <= most) return;
  throw new InputError(`${what} has ${length} characters; it must have at most ${most}`);
}

function checkUse({ field, kind, name }: NamedUse, definitions: readonly Definition[]): void {
  if (findDefinition(definitions, { kind, name })) return;
  const names = definitions.filter((one) => one.kind === kind).map((one) => one.name);
  const allowed = names.length > 0 ? names.join(", ") : `none, as definitions has no ${kind}`;
  throw new InputError(`${field} is ${show(name)}; allowed: ${allowed}`);
}

export function findDefinition(
  definitions: readonly Definition[] | undefined,
  { kind, name }: DefinitionRef,
): Definition | undefined {
  return definitions?.find((one) => one.kind === kind && one.name === name);
}
