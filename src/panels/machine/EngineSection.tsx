/** Every engine: whether it starts, whether its numbers are correct, and their deviation. */
import type { CheckItem, SelfCheck } from "../../engine/selfCheck.ts";
import { engineTitle, type EngineFacts, type MachineReport } from "../../runtime/machineReport.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { deviationWords, ITEMS, msWords, STATES, words, worstWords } from "./words.ts";
import { Folded } from "../../ui/Folded.tsx";

export function EngineSection({ report }: { report: MachineReport }) {
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
