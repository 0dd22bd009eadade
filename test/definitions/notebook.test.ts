/** Each kind of definition, written in cells of a notebook, trains to one fingerprint here and on the command line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { definitionsIn, type TypedCell } from "../../src/notebook/cell.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { DEFINITION_KINDS } from "../../src/spec/definitions.ts";
import { turnbook } from "../cli/cliSupport.ts";
import { example, trained } from "./examples.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-definitions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAMES = [
  ...["turnPpo", "root", "spo", "fading", "mixedOnly", "tether"],
  ...["hurry", "uncertain", "corridor", "echo", "wanderer"],
];
const code = NAMES.map(example).map(
  ({ kind, name, source }) => `\`\`\`code id=${name} defines=${kind}\n${source}\`\`\`\n`,
);

const SMALL = `preset: frozenlake
model: {preset: nano, warmStart: clone}
optimisation: {iterations: 2, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1}
critic: {warmup: 0, epochs: 1}
evaluation.levels: 0
recordEpisodes: 2
engine: {name: wasm, backend: wasm}`;

const TEXT = `# Every kind

${code.join("\n")}
\`\`\`experiment id=lake
${SMALL}
algorithms: turn-ppo@turnPpo@ratio-root@clip-spo@aggregation-fading@filter-mixedOnly@regulariser-tether
environment: {reward: hurry}
optimisation.segmentation: uncertain
clone: {levels: 20, steps: 4, batch: 8, lr: 0.003, expert: wanderer}
\`\`\`

\`\`\`experiment id=walk
${SMALL}
algorithms: turn-ppo
environment: {kind: defined, definition: corridor, maxTurns: 6}
clone: {levels: 20, steps: 4, batch: 8, lr: 0.003}
\`\`\`

\`\`\`experiment id=told
preset: talker-nano
model.warmStart: none
optimisation: {iterations: 2, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1}
critic: {warmup: 0, epochs: 1}
sampling.maxTokensPerTurn: 6
evaluation.levels: 0
recordEpisodes: 2
engine: {name: wasm, backend: wasm}
algorithms: turn-ppo
environment: {prompt: echo, maxTurns: 2}
\`\`\`
`;

test("every kind of definition, in cells", async () => {
  const { notebook, remarks } = parseNotebook(TEXT);
  expect(remarks).toEqual([]);
  const definitions = definitionsIn(notebook.cells);
  expect(new Set(definitions.map(({ kind }) => kind))).toEqual(new Set(DEFINITION_KINDS));
  const here = [];
  for (const cell of notebook.cells) {
    if (cell.type !== "experiment") continue;
    const { spec, remarks: problems } = readExperiment((cell as TypedCell).body, definitions);
    expect(problems).toEqual([]);
    here.push({ id: cell.id, fingerprint: (await trained(spec)).fingerprint, iterations: 2 });
  }
  const file = join(folder, "five.md");
  writeFileSync(file, TEXT);
  const { code: exit, json } = await turnbook(
    "notebook",
    "run",
    file,
    "--out",
    join(folder, "run"),
  );
  expect(json.at(-1)).toMatchObject({ experiments: here });
  expect(exit).toBe(0);
});
