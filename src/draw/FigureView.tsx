/** A figure on the page: every block of it, one after the other. */
import { createElement, useState, type ComponentType } from "react";
import { curveFigure } from "../figures/curves/chart.ts";
import { curveFrom } from "../figures/curves/curve.ts";
import { IterationChart } from "../charts/IterationChart.tsx";
import type { Act } from "../figures/choices.ts";
import type {
  Block,
  CardBlock,
  FactsBlock,
  Figure,
  FileBlock,
  GroupBlock,
  LinesBlock,
  ListBlock,
  PartBlock,
  TextBlock,
} from "../figures/figure.ts";
import { Button } from "../ui/Button.tsx";
import { copyText } from "../ui/clipboard.ts";
import { DataTable } from "../ui/DataTable.tsx";
import { download } from "../ui/download.ts";
import { Empty } from "../ui/Empty.tsx";
import { Folded } from "../ui/Folded.tsx";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { Bars } from "./Bars.tsx";
import { Cells } from "./Cells.tsx";
import { cellText } from "./cellText.ts";
import { Choices } from "./Choices.tsx";
import { GoButton } from "./GoButton.tsx";
import { Grid } from "./Grid.tsx";
import { Meanings, NumbersView } from "./NumbersView.tsx";
import { Stacks } from "./Stacks.tsx";
import { StepsView } from "./StepsView.tsx";
import "./draw.css";

// Observable Plot comes where something is drawn with it.
const Chart = lazyPart("Chart", () => import("./Chart.tsx"), "");

interface FigureActs {
  /** Of the panel whose figure it is. */
  panel: string;
  does: (act: Act) => void;
  /** The panel's own components, by the ids of part blocks. */
  parts: FigureParts;
  /** Of texts with a title. */
  Heading?: "h4" | "h5" | undefined;
}

export type FigureParts = Readonly<Record<string, ComponentType<GivenPart<never>>>>;

export interface GivenPart<Given> extends Pick<FigureActs, "does"> {
  given: Given;
}

export function FigureView({ figure, ...acts }: { figure: Figure } & FigureActs) {
  // Blocks of one figure keep their order while it is the same figure.
  return figure.map((block, i) => <One key={keyOf(block, i)} block={block} {...acts} />);
}

const keyOf = (block: Block, i: number) =>
  "id" in block && block.id ? block.id : `${block.kind} ${i}`;

function One({ block, ...acts }: { block: Block } & FigureActs) {
  switch (block.kind) {
    case "text":
      return <Text block={block} does={acts.does} Heading={acts.Heading} />;
    case "list":
      return <List block={block} />;
    case "card":
      return <Card block={block} {...acts} />;
    case "meanings":
      return <Meanings block={block} />;
    case "choices":
      return (
        <Choices block={block} panel={acts.panel} does={acts.does}>
          {block.note && <Text block={block.note} does={acts.does} />}
        </Choices>
      );
    case "numbers":
      return <NumbersView block={block} />;
    case "cells":
      return <Cells block={block} move={(to) => acts.does({ to })} />;
    case "chart":
      return <Chart block={block} />;
    case "lines":
      return <Lines block={block} />;
    case "stacks":
      return <Stacks block={block} />;
    case "steps":
      return <StepsView block={block} does={acts.does} />;
    case "grid":
      return <Grid block={block} does={acts.does} part={(one) => partOf(one, acts)} />;
    case "bars":
      return <Bars block={block} does={acts.does} />;
    case "file":
      return <FileView block={block} />;
    case "group":
      return <Group block={block} {...acts} />;
    case "part":
      return partOf(block, acts);
    case "facts":
      return <Facts block={block} />;
    case "side":
      return (
        <div className={block.main ? "figure-side figure-side-main" : "figure-side"}>
          {block.parts.map((part, i) => (
            <div key={i}>
              <FigureView figure={part} {...acts} />
            </div>
          ))}
        </div>
      );
  }
}

const partOf = ({ id, given }: PartBlock, { parts, does }: FigureActs) =>
  createElement(parts[id]!, { given: given as never, does });

function List({ block: { id, label, items, isOrdered = false } }: { block: ListBlock }) {
  const List = isOrdered ? "ol" : "ul";
  return (
    <List
      className={label === undefined ? "figure-list" : "figure-list-plain"}
      data-testid={id}
      aria-label={label}
    >
      {items.map((item) => {
        const { id, text } = typeof item === "string" ? { id: undefined, text: item } : item;
        return (
          <li key={text} data-item={id}>
            {text}
          </li>
        );
      })}
    </List>
  );
}

function Card({ block, ...acts }: { block: CardBlock } & FigureActs) {
  const { id, look, tag, title, after, blocks } = block;
  return (
    <div className={`figure-framed figure-framed-${look}`} data-testid={id}>
      <h4>
        <span className="tag">{tag}</span> {title}{" "}
        {after !== undefined && <span className="tag">{after}</span>}
      </h4>
      <FigureView figure={blocks} {...acts} Heading="h5" />
    </div>
  );
}

function Group({ block, ...acts }: { block: GroupBlock } & FigureActs) {
  const { title, id, folded = false, hasCommands = false } = block;
  const parts = <Parts block={block} {...acts} />;
  if (!folded)
    return (
      <div className="figure-group" role="group" aria-label={title} data-testid={id}>
        <h4>{title}</h4>
        {parts}
      </div>
    );
  return (
    <Folded title={title} testId={id} always={hasCommands && parts}>
      {!hasCommands && parts}
    </Folded>
  );
}

/** Made when it is rendered. */
const Parts = ({ block, ...acts }: { block: GroupBlock } & FigureActs) => (
  <FigureView figure={block.parts()} {...acts} />
);

/** Buttons that copy a text, or save it as a file, and what came of it. */
function FileView({ block: { name, type, text, copy, save } }: { block: FileBlock }) {
  const [said, say] = useState("");
  const copied = async () =>
    say((await copyText(text())) ? "Copied." : "The browser blocked copying. Save it instead.");
  const saved = () => {
    download(text(), name, type);
    say(`Saved as ${name}.`);
  };
  return (
    <div className="figure-choices">
      <Button data-command={copy.command} onClick={() => void copied()}>
        {copy.name}
      </Button>
      <Button data-command={save.command} onClick={saved}>
        {save.name}
      </Button>
      <span role="status" className="note">
        {said}
      </span>
    </div>
  );
}

const LOOKS = {
  note: "note",
  prose: "note prose-note",
  notice: "notice",
  warning: "notice notice-warning",
};

type TextProps = { block: TextBlock } & Pick<FigureActs, "does" | "Heading">;

function Text({ block, does, Heading = "h4" }: TextProps) {
  const { text, look, title, id, go, progress, code, more, command, link } = block;
  const buttons = go?.map((one) => <GoButton key={one.name} {...one} does={does} />);
  if (progress)
    return (
      <div className="figure-progress">
        {/* Announced when it begins and when it ends, not in between. */}
        <p role="status" data-testid={id}>
          {text}
        </p>
        {progress.done < progress.of && (
          <>
            <progress max={progress.of} value={progress.done} aria-label={progress.name} />
            <span className="note">{`${progress.done} of ${progress.of}`}</span>
          </>
        )}
        {buttons}
      </div>
    );
  return (
    <>
      {title !== undefined && <Heading data-testid={id && `${id}-title`}>{title}</Heading>}
      {look === "empty" ? (
        <Empty>{text}</Empty>
      ) : look === "full" ? (
        <pre className="page-text" role="group" aria-label={title} tabIndex={0}>
          {text}
        </pre>
      ) : (
        (text !== "" || go) && (
          <p className={look && LOOKS[look]} data-testid={command === undefined ? id : undefined}>
            {code !== undefined && <code>{code}</code>}
            {code !== undefined ? ` ${text}` : text}
            {command !== undefined && <code data-testid={id}>{command}</code>}
            {more !== undefined && <span className="note"> {more}</span>}
            {link && (
              <>
                {" "}
                <a href={link.href}>{link.name}</a>
              </>
            )}
            {buttons}
          </p>
        )
      )}
    </>
  );
}

const MOST_POINTS = 120;

function Lines({ block }: { block: LinesBlock }) {
  const { id, title, hint, unit, xName, xDomain, steps, lines } = block;
  const figure = (zoomed: readonly [number, number] | null) =>
    curveFigure({
      title,
      hint,
      xName,
      curves: lines.map((line) => curveFrom(line, MOST_POINTS)),
      methods: lines.map((line) => line.id),
      xDomain: zoomed ?? xDomain,
      steps,
      format: (value) => cellText(value, unit),
    });
  return <IterationChart figure={figure} testId={id} />;
}

type Fact = FactsBlock["rows"][number];

const FACT_COLUMNS = [
  { id: "name", head: null, kind: "name", cell: ({ name }: Fact) => name },
  { id: "value", head: null, kind: "number", cell: (row: Fact) => cellText(row.value, row.unit) },
] as const;

/** Names and values of one thing in a frame. */
function Facts({ block: { id, title, note, rows } }: { block: FactsBlock }) {
  return (
    <aside className="facts" aria-label={title} data-testid={id}>
      <h4>{title}</h4>
      <p className="note">{note}</p>
      {rows.length > 0 && (
        <DataTable
          headless
          columns={FACT_COLUMNS}
          rows={rows}
          keyOf={(row) => row.id}
          rowProps={(row) => ({ "data-number": row.id, title: row.hint })}
        />
      )}
    </aside>
  );
}
