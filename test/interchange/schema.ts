/** Reads the stored names of RAGEN's and verl's settings, and says which of a bundle's keys are none of them. */
import { readFileSync } from "node:fs";
import type { Keys } from "../../src/interchange/yaml.ts";

interface Schema {
  ragen: { version: string; keys: string[] };
  verl: { version: string; keys: string[] };
  /** `entry`: what every environment's entry has; the others by their type. */
  environments: Record<string, string[]>;
  values: Record<string, string[]>;
}

export const schema = JSON.parse(
  readFileSync(new URL("../fixtures/ragenSchema.json", import.meta.url), "utf8"),
) as Schema;

const verl = new Set(schema.verl.keys);
const ragen = new Set([...schema.ragen.keys, ...schema.verl.keys]);

/** Keys that RAGEN on verl does not have; `custom_envs` by the environment's own dataclass. */
export function unknownToRagen(keys: Keys): string[] {
  const type = Object.entries(keys).find(([key]) => key.endsWith(".env_type"))?.[1];
  const fields = schema.environments[String(type)] ?? [];
  return Object.keys(keys).filter((key) => {
    const [, entry, field] = /^custom_envs\.\w+\.(\w+)(?:\.(\w+))?$/.exec(key) ?? [];
    if (entry === undefined) return !ragen.has(key);
    return field === undefined
      ? !schema.environments["entry"]!.includes(entry)
      : entry !== "env_config" || !fields.includes(field);
  });
}

export function unknownToVerl(keys: Keys): string[] {
  return Object.keys(keys).filter((key) => !verl.has(key));
}

/** Settings with a value by name that is none of the names. */
export function unknownValues(keys: Keys): string[] {
  return Object.entries(schema.values)
    .filter(([key, allowed]) => key in keys && !allowed.includes(String(keys[key])))
    .map(([key]) => `${key}=${String(keys[key])}`);
}
