/** The "This machine" page: summary, engines, speed, expected times, the computer. */
import {
  engineTitle,
  type MachineReport,
  type GpuFacts,
  type EngineFacts,
} from "../../runtime/machineReport.ts";
import { ExpectSection, SpeedSection, type PresetEstimate } from "./SpeedSection.tsx";
import { timesOf, verdictOf } from "./verdict.ts";
import { words, bytesWords, deviationWords, ITEMS, msWords, STATES, worstWords } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";
import type { CheckItem, SelfCheck } from "../../engine/selfCheck.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";

interface MachinePanelProps {
  report: MachineReport;
  /** Whether the worker is busy. */
  working: boolean;
  /** Whether a run is in progress, during which nothing is measured. */
  busy: boolean;
  /** Approximate duration of the measurement. */
  seconds: number;
  /** Shown before anything is measured. */
  estimates: readonly PresetEstimate[];
  /** Whether to prefer the graphics card that saves power. */
  lowPower: boolean;
  onAgain: () => void;
  onLowPower: (on: boolean) => void;
  onMeasure: () => void;
}

export function MachinePanel(props: MachinePanelProps) {
  const { report, working, onAgain } = props;
  return (
    <>
      <div className="machine-top">
        <section className="panel" aria-labelledby="machine-summary" data-testid="machine-summary">
          <h2 id="machine-summary" className="machine-verdict" data-testid="machine-verdict">
            {verdictOf(report) ?? words.unknown}
          </h2>
          {report.choice && (
            <p data-testid="machine-times">{timesOf(report) ?? words.measureFirst}</p>
          )}
          {report.choice?.name === "wasm" && <p className="note">{words.verdict.sameNumbers}</p>}
          <div className="buttons">
            <Button data-testid="check-again" disabled={working} onClick={onAgain}>
              {report.state === "examining" && working ? words.checking : words.again}
            </Button>
          </div>
        </section>
        <SpeedSection {...props} />
      </div>
      <ExpectSection report={report} estimates={props.estimates} />
      <details className="machine-details" data-testid="machine-details">
        <summary>{words.details}</summary>
        <Choice report={report} />
        <EngineSection report={report} />
        <ComputerSection {...props} />
      </details>
    </>
  );
}

function Choice({ report: { choice, state, engines } }: { report: MachineReport }) {
  if (!choice) return <p>{state === "examining" ? words.unknown : words.nothing}</p>;
  const { adapter } = engines.find(
    ({ name, backend }) => name === choice.name && backend === choice.backend,
  )!;
  return (
    <>
      <p data-testid="machine-choice">
        {words.takes} <strong>{engineTitle(choice)}</strong>
        {adapter === null ? "." : ` (${adapter}).`}
      </p>
      {choice.fallback !== null && <p className="fallback">{choice.fallback}</p>}
    </>
  );
}

interface ComputerSectionProps extends CardChoiceProps {
  report: MachineReport;
}

/** Browser, processor and graphics adapter, as the browser reports them. */
function ComputerSection({ report: { host, gpu }, ...choice }: ComputerSectionProps) {
  const { browser, cores, memoryGiB } = host;
  return (
    <section className="panel" aria-labelledby="machine-computer" data-testid="machine-computer">
      <h2 id="machine-computer">{words.computer}</h2>
      <dl className="facts">
        <Fact name={words.browser}>{browser}</Fact>
        <Fact name={words.cores}>{cores ?? words.unreported}</Fact>
        <Fact name={words.ram}>
          {memoryGiB === null ? words.unreported : `${memoryGiB} GiB, as the browser rounds it`}
        </Fact>
        <Fact name={words.adapter}>
          <span data-testid="adapter">{gpu?.adapter ?? gpu?.why ?? words.unreported}</span>
          {gpu?.adapter && !gpu.software && <CardChoice {...choice} />}
        </Fact>
        {gpu?.adapter && (
          <>
            <Fact name={words.features}>{gpu.features.join(", ") || words.noFeatures}</Fact>
            <Fact name={words.limits}>
              <Limits gpu={gpu} />
            </Fact>
          </>
        )}
      </dl>
    </section>
  );
}

interface CardChoiceProps {
  lowPower: boolean;
  working: boolean;
  onLowPower: (on: boolean) => void;
}

/** Laptops have two cards; the one in use is shown above. */
function CardChoice({ lowPower, working, onLowPower }: CardChoiceProps) {
  return (
    <>
      <CheckBox
        checked={lowPower}
        disabled={working}
        data-testid="low-power"
        onChange={({ target }) => onLowPower(target.checked)}
      >
        {words.lowPower}
      </CheckBox>
      <span className="note">{words.adapterNote}</span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Limits({ gpu }: { gpu: GpuFacts }) {
  return gpu.limits.map(({ name, value }) => (
    <span key={name}>
      <code>{name}</code> {/Size$/.test(name) && !/SizeX/.test(name) ? bytesWords(value) : value}
    </span>
  ));
}

/** Every engine: whether it starts, whether its numbers are correct, and their deviation. */
function EngineSection({ report }: { report: MachineReport }) {
  return (
    <section className="panel" aria-labelledby="machine-engines" data-testid="machine-engines">
      <h2 id="machine-engines">{words.engines}</h2>
      <p className="note">{words.enginesNote}</p>
      <ul className="engine-list">
        {report.engines.map((facts) => (
          <EngineRow key={engineTitle(facts)} facts={facts} chosen={isChosen(facts, report)} />
        ))}
      </ul>
    </section>
  );
}

function isChosen({ name, backend }: EngineFacts, { choice }: MachineReport): boolean {
  return choice?.name === name && choice.backend === backend;
}

function EngineRow({ facts, chosen }: { facts: EngineFacts; chosen: boolean }) {
  const { name, backend, state, adapter, why, check, checkedAt } = facts;
  const { sign, text, tone } = STATES[state];
  return (
    <li data-testid={`engine-${name}-${backend}`} data-state={state}>
      <h3>
        {engineTitle(facts)} {chosen && <span className="tag tag-live">{"used by automatic"}</span>}
      </h3>
      <p className="engine-result">
        <span className={tone}>{`${sign} ${text}`.trim()}</span>
        {check?.passed && <span>{`worst deviation: ${worstWords(check)}`}</span>}
        {check && <span className="note">{checkedWords(check, checkedAt)}</span>}
      </p>
      {adapter !== null && <p className="note">{adapter}</p>}
      {why !== null && <p className="engine-why">{sentence(why)}</p>}
      {check && (
        <Folded title={words.compared}>
          <ItemTable items={check.items} title={engineTitle(facts)} />
          <p className="note">{words.itemsNote}</p>
        </Folded>
      )}
    </li>
  );
}

function checkedWords({ milliseconds }: SelfCheck, at: string | null): string {
  const date = at === null ? "" : new Date(at).toLocaleDateString("en", { dateStyle: "medium" });
  return `checked in ${msWords(milliseconds)}${at === null ? "" : ` on ${date}`}`;
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

function ItemTable({ items, title }: { items: CheckItem[]; title: string }) {
  return (
    <DataTable
      label={`${title}: ${words.compared}`}
      className="figures"
      columns={ITEM_COLUMNS}
      rows={items}
      keyOf={({ name }) => name}
    />
  );
}

const ITEM_COLUMNS: readonly TableColumn<CheckItem>[] = [
  {
    id: "item",
    head: words.item,
    kind: "name",
    cell: ({ name, passed, where }) => (
      <>
        {ITEMS[name]}
        {!passed && where !== "" && <code className="where">{where}</code>}
      </>
    ),
  },
  { id: "deviation", head: words.deviation, cell: ({ deviation }) => deviationWords(deviation) },
  { id: "allowed", head: words.allowed, cell: ({ allowed }) => deviationWords(allowed) },
  {
    id: "result",
    head: words.result,
    cell: ({ passed }) => (passed ? "✓ same" : "✗ wrong"),
    cellProps: ({ passed }) => ({ className: passed ? "good" : "bad" }),
  },
  { id: "time", head: words.milliseconds, cell: ({ milliseconds }) => msWords(milliseconds) },
];
