/** User-defined estimators run in the sandbox worker, which starts with the first of them. */
import { answerEstimates, moreMayRun, type EstimateSource } from "../reading/credit/estimates.ts";
import type { SandboxClient } from "../runtime/sandbox/sandboxClient.ts";
import { codeConsent, mayRun } from "./codeConsent.ts";

let client: Promise<SandboxClient> | null = null;

async function opened(): Promise<SandboxClient> {
  const { SandboxClient } = await import("../runtime/sandbox/sandboxClient.ts");
  return new SandboxClient();
}

const inWorker: EstimateSource = async (definition, input) => {
  client ??= opened();
  return (await client).estimate(definition, input);
};

/**
 * Called once if there is a page. `source`: what runs the code. Returns the function that stops it.
 */
export function startEstimates(source: EstimateSource = inWorker): () => void {
  answerEstimates(source, (definition) => mayRun([definition]));
  const end = codeConsent.subscribe((now, before) => {
    if (now.version !== before.version) moreMayRun();
  });
  return () => {
    end();
    answerEstimates(null);
  };
}
