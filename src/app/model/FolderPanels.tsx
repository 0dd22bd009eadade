/** A chosen folder before anything is loaded: what is in it, and the memory that it takes. */
import { formatBytes } from "../../numeric/format.ts";
import type { FolderFacts, ModelPlan, ModelReport } from "../../runtime/modelReport.ts";
import { encodeLink } from "../../spec/link.ts";
import { toSpec } from "../../spec/presets.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable, type ShortColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { KeepButton } from "./KeptList.tsx";
import { words } from "./words.ts";

interface Progress {
  done: number;
  total: number;
}

const shareOf = ({ done, total }: Progress) => done / Math.max(1, total);

const FILES: readonly ShortColumn<FolderFacts["files"][number]>[] = [
  [words.facts.file, ({ name }) => name, "name"],
  [words.facts.bytes, ({ bytes }) => formatBytes(bytes), "number"],
  [words.facts.sha256, ({ sha256 }) => <code>{sha256 === null ? "…" : sha256.slice(0, 16)}</code>],
];

interface FolderFactsPanelProps {
  folder: FolderFacts;
  hashed: Progress | null;
}

export function FolderFactsPanel({ folder, hashed }: FolderFactsPanelProps) {
  const { config, hash } = folder;
  const { facts } = words;
  const rows: [string, React.ReactNode][] = [
    [
      facts.architecture,
      `${config.family === "qwen2" ? "Qwen2" : "Qwen3"}, ${TIED[String(config.tieWordEmbeddings)]}`,
    ],
    [facts.shape, shapeWords(folder)],
    [facts.parameters, folder.parameters.toLocaleString("en")],
    [facts.weights, formatBytes(folder.storedBytes)],
    [facts.tokenizer, facts.tokens(folder.tokens)],
    [facts.template, templateWords(folder)],
    [
      facts.hash,
      <code key="hash" data-testid="model-hash">
        {hash ?? facts.hashing(hashed ? shareOf(hashed) : 0)}
      </code>,
    ],
  ];
  return (
    <section className="panel" aria-labelledby="model-facts" data-testid="model-facts">
      <h2 id="model-facts">{folder.name}</h2>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {hash !== null && <KeepButton hash={hash} folder={folder} />}
      {hash !== null && folder.hasTemplate && (
        <p>
          <a href={trainLink(folder.name, hash)} data-testid="model-train">
            {words.train.link}
          </a>
        </p>
      )}
      {folder.notes.map((note) => (
        <p key={note} className="note">
          {`${note}.`}
        </p>
      ))}
      <Folded title={facts.files}>
        <DataTable
          label={facts.files}
          className="figures"
          columns={FILES}
          rows={folder.files}
          keyOf={({ name }) => name}
        />
      </Folded>
    </section>
  );
}

/** Sokoban in words, with short thoughts and small adapters. */
function trainLink(name: string, hash: string): string {
  const folder = { hash, name: name.slice(0, 100) };
  return encodeLink(toSpec({ preset: "talker-nano", model: { folder, lora: { rank: 8 } } }));
}

const TIED: Record<string, string> = {
  true: "head tied to the embedding",
  false: "with a head of its own",
};

function shapeWords({ config }: FolderFacts): string {
  const { layers, hiddenSize, heads, kvHeads, headDim, vocabSize } = config;
  return `${layers} layers of width ${hiddenSize}; ${heads} heads of ${headDim}, ${kvHeads} for keys and values; vocabulary ${vocabSize.toLocaleString("en")}`;
}

function templateWords({ hasTemplate, hasThinking }: FolderFacts): string {
  if (!hasTemplate) return words.facts.noTemplate;
  return hasThinking ? words.facts.thinking : words.facts.plain;
}

const PARTS: readonly ShortColumn<readonly [string, number]>[] = [
  [words.plan.part, ([part]) => part, "name"],
  [words.facts.bytes, ([, bytes]) => formatBytes(bytes), "number"],
];

interface PlanPanelProps {
  report: ModelReport;
  plan: ModelPlan;
  onLoad: () => void;
  onMeasure: () => void;
}

export function PlanPanel({ report, plan, onLoad, onMeasure }: PlanPanelProps) {
  const { state, loaded } = report;
  const parts = Object.entries(plan.parts);
  const sum = parts.reduce((total, [, bytes]) => total + bytes, 0);
  const engine = words.backends[plan.backend as "wasm"] ?? plan.backend;
  return (
    <section className="panel" aria-labelledby="model-plan" data-testid="model-plan">
      <h2 id="model-plan">{words.plan.title}</h2>
      <p>
        {words.plan.runsOn(
          plan.adapter === "" ? engine : `${engine} (${plan.adapter})`,
          plan.context,
        )}
      </p>
      {plan.fallback !== null && <p className="fallback">{plan.fallback}</p>}
      <DataTable
        className="figures model-parts"
        columns={PARTS}
        rows={[...parts, [words.plan.total, sum] as const]}
        keyOf={([part]) => part}
      />
      {(state === "read" || state === "loading") && (
        <div className="buttons">
          <Button
            look="primary"
            disabled={state === "loading"}
            data-testid="model-load"
            onClick={onLoad}
          >
            {state === "loading"
              ? words.plan.loading(loaded ? shareOf(loaded) : 0)
              : words.plan.load}
          </Button>
        </div>
      )}
      {(state === "ready" || state === "busy") && <Speed report={report} onMeasure={onMeasure} />}
    </section>
  );
}

/** How fast the loaded model is, and what an iteration with it would take. */
function Speed({ report: { state, speed }, onMeasure }: Omit<PlanPanelProps, "plan" | "onLoad">) {
  return (
    <>
      <div className="buttons">
        <Button disabled={state === "busy"} data-testid="model-measure" onClick={onMeasure}>
          {words.plan.measure}
        </Button>
      </div>
      <p role="status" data-testid="model-speed">
        {speed && words.plan.speed(speed)}{" "}
        {speed?.iteration && words.plan.iteration(speed.iteration, speed.episodes)}
      </p>
    </>
  );
}
