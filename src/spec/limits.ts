/** What a number of a spec may be, for forms: from the same schema that refuses all else. */
import { nodeAt, type ExperimentSpec } from "./experiment.ts";
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
