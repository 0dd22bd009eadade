/** A figure on the page: every block of it, one after the other. */
import { createElement, type ComponentType } from "react";
import { curveFigure } from "../figures/curves/chart.ts";
import { curveFrom } from "../figures/curves/curve.ts";
import { IterationChart } from "../charts/IterationChart.tsx";
import type {
  Block,
  CardAct,
  CellsBlock,
  Figure,
  LinesBlock,
  TextBlock,
} from "../figures/figure.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { Cells } from "./Cells.tsx";
import { cellText } from "./cellText.ts";
import { Choices, type ChooseOption } from "./Choices.tsx";
import { Grid } from "./Grid.tsx";
import { NumbersView } from "./NumbersView.tsx";
import { Stacks } from "./Stacks.tsx";
import { StepsView } from "./StepsView.tsx";
import "./draw.css";

// Observable Plot comes where something is drawn with it.
const Chart = lazyPart("Chart", () => import("./Chart.tsx"), "");

interface FigureActs {
  /** Of the panel whose figure it is. */
  panel: string;
  choose: ChooseOption;
  /** Moves the cursor. */
  move: (to: ReturnType<CellsBlock["go"]>) => void;
  /** The panel's own components, by the ids of part blocks. */
  parts: FigureParts;
}

export type FigureParts = Readonly<Record<string, ComponentType>>;

export function FigureView({ figure, ...acts }: { figure: Figure } & FigureActs) {
  // Blocks of one figure keep their order while it is the same figure.
  return figure.map((block, i) => <One key={keyOf(block, i)} block={block} {...acts} />);
}

const keyOf = (block: Block, i: number) =>
  "id" in block && block.id ? block.id : `${block.kind} ${i}`;

function One({ block, ...acts }: { block: Block } & FigureActs) {
  switch (block.kind) {
    case "text":
      return <Text block={block} move={acts.move} />;
    case "list":
      return (
        <ul className="figure-list" data-testid={block.id}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      );
    case "choices":
      return <Choices block={block} panel={acts.panel} choose={acts.choose} />;
    case "numbers":
      return <NumbersView block={block} />;
    case "cells":
      return <Cells block={block} move={acts.move} />;
    case "chart":
      return <Chart block={block} />;
    case "lines":
      return <Lines block={block} />;
    case "stacks":
      return <Stacks block={block} />;
    case "steps":
      return <StepsView block={block} does={doingOf(acts)} />;
    case "grid":
      return <Grid block={block} move={acts.move} />;
    case "part":
      return createElement(acts.parts[block.id]!);
    case "side":
      return (
        <div className="figure-side">
          {block.parts.map((part, i) => (
            <div key={i}>
              <FigureView figure={part} {...acts} />
            </div>
          ))}
        </div>
      );
  }
}

const doingOf =
  ({ choose, move }: FigureActs) =>
  (act: CardAct) =>
    "to" in act ? move(act.to) : choose(act.choice, act.value);

const LOOKS = {
  note: "note",
  prose: "note prose-note",
  notice: "notice",
  warning: "notice notice-warning",
};

type TextProps = { block: TextBlock } & Pick<FigureActs, "move">;

function Text({ block: { text, look, title, id, go }, move }: TextProps) {
  return (
    <>
      {title !== undefined && <h4 data-testid={id && `${id}-title`}>{title}</h4>}
      {look === "empty" ? (
        <Empty>{text}</Empty>
      ) : (
        text !== "" && (
          <p className={look && LOOKS[look]} data-testid={id}>
            {text}
            {go?.map(({ name, to }) => (
              <Button key={name} onClick={() => move(to)}>
                {name}
              </Button>
            ))}
          </p>
        )
      )}
    </>
  );
}

const MOST_POINTS = 120;

function Lines({ block: { id, title, hint, unit, xName, xDomain, lines } }: { block: LinesBlock }) {
  const figure = (zoomed: readonly [number, number] | null) =>
    curveFigure({
      title,
      hint,
      xName,
      curves: lines.map((line) => curveFrom(line, MOST_POINTS)),
      methods: lines.map((line) => line.id),
      xDomain: zoomed ?? xDomain,
      format: (value) => cellText(value, unit),
    });
  return <IterationChart figure={figure} testId={id} />;
}
