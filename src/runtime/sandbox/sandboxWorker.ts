/** The sandbox's worker: runs code cells, and what rows have of their own for what the page shows. The page terminates it to stop it. */
import { browserQuickJs, openPageDefinitions } from "./browser.ts";
import { runCell } from "./cells.ts";
import type { FromSandbox, ToSandbox } from "./sandboxProtocol.ts";
import { DEFINITION_EXPORTS, type DefinedCodes } from "../../record/definitions.ts";
import { InputError } from "../../numeric/inputError.ts";

/** Definitions that were read, by their source; only the most recent ones. */
const opened = new Map<string, Promise<DefinedCodes>>();
const MOST_OPENED = 8;

const send = (message: FromSandbox) => self.postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<ToSandbox>) => {
  void answer(data).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    send({ id: data.id, type: "refused", message, isInput: error instanceof InputError });
  });
});

async function answer(asked: ToSandbox): Promise<void> {
  const { id } = asked;
  if (asked.type === "cell") {
    const output = await runCell(await browserQuickJs(), asked.cell, asked.inputs);
    send({ id, type: "cell", output });
    return;
  }
  const { definition, input } = asked;
  const codes = await codesOf(definition);
  const code = codes.get(definition);
  send({ id, type: "estimate", result: code.call(DEFINITION_EXPORTS[definition.kind][0], input) });
}

function codesOf(definition: Extract<ToSandbox, { type: "estimate" }>["definition"]) {
  const key = JSON.stringify(definition);
  const codes = opened.get(key) ?? openPageDefinitions([definition]);
  opened.delete(key);
  opened.set(key, codes);
  if (opened.size > MOST_OPENED) opened.delete(opened.keys().next().value!);
  return codes;
}
