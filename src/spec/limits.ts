/** What a field of a spec may be, for forms and editors: from the same schema that refuses all else. */
import { nodeAt, type ExperimentSpec } from "./experiment.ts";
import { choicesIn } from "./schemaPaths.ts";
import { z } from "./zod.ts";

interface NumberLimits {
  least: number;
  most: number;
  whole: boolean;
}

/** Of a dotted path; null where it is no number, or no field of this spec's kind. */
export function limitsOf(spec: ExperimentSpec, path: string): NumberLimits | null {
  const node = nodeAt(path.split("."), spec);
  if (!(node instanceof z.ZodNumber)) return null;
  return { least: node.minValue!, most: node.maxValue!, whole: node.isInt };
}

/** Words that the field of a dotted path takes; none where it takes numbers or any text, or is no field of this spec's kind. */
export function choicesOf(spec: ExperimentSpec, path: string): string[] {
  return choicesIn(nodeAt(path.split("."), spec));
}
