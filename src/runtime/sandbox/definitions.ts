/** A spec's definitions, each in its own sandbox. */
import {
  DEFINITION_EXPORTS,
  type DefinedCode,
  type DefinedCodes,
} from "../../record/definitions.ts";
import type { Definition, DefinitionRef } from "../../spec/definitions.ts";
import { InputError } from "../../numeric/inputError.ts";
import { CodeError } from "./codeError.ts";
import { Sandbox } from "./sandbox.ts";

/**
 * Reads every definition. quickjs: the interpreter's compiled binary.
 * @throws CodeError with the definition's name and line if one cannot be read or lacks an export.
 */
export async function openDefinedCodes(
  quickjs: WebAssembly.Module,
  definitions: readonly Definition[],
): Promise<DefinedCodes> {
  const codes = await Promise.all(definitions.map((one) => openCode(quickjs, one)));
  return {
    get: (ref) => {
      const found = codes.find(({ kind, name }) => kind === ref.kind && name === ref.name);
      if (found) return found;
      throw new InputError(`definitions has no ${ref.kind} named ${ref.name}`);
    },
  };
}

async function openCode(
  quickjs: WebAssembly.Module,
  { kind, name, source }: Definition,
): Promise<DefinedCode> {
  const sandbox = await Sandbox.open(quickjs, name, source);
  const ref: DefinitionRef = { kind, name };
  for (const needed of DEFINITION_EXPORTS[kind]) {
    if (sandbox.has(needed)) continue;
    throw new CodeError(
      name,
      null,
      `the code of a ${kind} must have an "export function ${needed}"`,
    );
  }
  return {
    ...ref,
    has: (exported) => sandbox.has(exported),
    call: (exported, ...args) => sandbox.call(exported, ...args).value,
  };
}
