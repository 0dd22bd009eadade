/**
 * Environments by name, like Gymnasium's and GEM's `register` and `make`: a name such as
 * FrozenLake-v0, or FrozenLake-v0-ragen for the same environment with other defaults.
 */
import { InputError, show } from "../numeric/inputError.ts";
import { entry, type EnvironmentEntry, type EnvironmentKind } from "./descriptor.ts";
import { descriptors } from "./descriptors.ts";
import type { Environment } from "./environment.ts";
import { generateCatalogue } from "./webshop/generate/generateCatalogue.ts";
import { WEBSHOP_DEFAULTS, WebShopEnv } from "./webshop/webshopEnv.ts";

const entries = new Map<string, EnvironmentEntry<object>>();

/**
 * @throws InputError if the name is taken, or has characters other than letters, digits and - _ :
 */
export function registerEnvironment<Options extends object>(
  entry: EnvironmentEntry<Options>,
): void {
  if (!/^[\w:-]+$/.test(entry.name)) {
    throw new InputError(`name is ${show(entry.name)}; it must be of letters, digits, - _ and :`);
  }
  if (entries.has(entry.name)) throw new InputError(`name is ${show(entry.name)}; it is taken`);
  entries.set(entry.name, entry as unknown as EnvironmentEntry<object>);
}

/** Everything registered, in order, with options and defaults. */
export function listEnvironments(): { name: string; about: string; defaults: object }[] {
  return [...entries.values()].map(({ name, about, defaults }) => ({ name, about, defaults }));
}

/**
 * A new environment; omitted options have their defaults.
 * @throws InputError if there is no such name or option, or a value has the wrong type or range.
 */
export function makeEnvironment(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): Environment<object> {
  const entry = entries.get(name);
  if (!entry) {
    const names = [...entries.keys()].join(", ");
    throw new InputError(`environment is ${show(name)}; allowed: ${names}`);
  }
  for (const [key, value] of Object.entries(options)) checkOption(entry, key, value);
  return entry.create({ ...entry.defaults, ...options });
}

function checkOption({ name, defaults }: EnvironmentEntry<object>, key: string, value: unknown) {
  if (!Object.hasOwn(defaults, key)) {
    const allowed = Object.keys(defaults).join(", ");
    throw new InputError(`${show(key)} is not an option of ${name}; allowed: ${allowed}`);
  }
  const expected = typeof (defaults as Record<string, unknown>)[key];
  if (typeof value !== expected) {
    throw new InputError(`${key} is ${show(value)}; it must be a ${expected}`);
  }
}

/** Entries outside their descriptor: the page reads descriptors before its first paint, and these would load a whole shop. */
const apart: { [K in EnvironmentKind]?: EnvironmentEntry<never>[] } = {
  webshop: [
    entry({
      name: "WebShop-v0",
      about: "a shopping trip in a generated WebShop",
      defaults: { catalogSeed: 1, ...WEBSHOP_DEFAULTS },
      create: ({ catalogSeed, ...rest }) => new WebShopEnv(generateCatalogue(catalogSeed), rest),
    }),
  ],
};

for (const { kind, registered } of descriptors)
  for (const one of apart[kind] ?? registered)
    registerEnvironment(one as unknown as EnvironmentEntry<object>);
