/** The notebook that tests a cause: the run as it is and with one setting changed, over new seeds. */
import { withExperiment } from "../notebook/cells/experiment/experiment.ts";
import { notebookHash } from "../notebook/sharedText.ts";
import type { CauseName } from "../reading/story/causeNames.ts";
import { testSeeds, testSpec } from "../reading/story/proposal.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

interface CauseTest {
  cause: CauseName;
  title: string;
  says: string;
  algorithm: string;
  path: string;
  /** As the run has it, and as it is changed. */
  values: readonly [now: number | string, changed: number | string];
}

/** Its address; opening it trains nothing. */
export function testBookHash(spec: ExperimentSpec, test: CauseTest): string {
  const { cause, title, says, algorithm, path, values } = test;
  const body = withExperiment("preset: nano", testSpec(spec, algorithm));
  const over = JSON.stringify({ [path]: values });
  const text = [
    `# Test: ${title}`,
    says,
    `\`\`\`experiment id=run fold\n${body.trimEnd()}\n\`\`\``,
    `\`\`\`sweep id=test of=run\nover: ${over}\nseeds: ${JSON.stringify(testSeeds(spec))}\nmetrics: [heldout]\ncause: ${cause}\n\`\`\``,
  ];
  return notebookHash(`${text.join("\n\n")}\n`);
}
