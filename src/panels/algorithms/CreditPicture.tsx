/** The credit of each algorithm: turns are columns, methods are rows, credit is a signed bar. */
import { useMemo } from "react";
import { formatSignedBrief } from "../../numeric/format.ts";
import { signClass } from "../../charts/signedScale.ts";
import { largestSize } from "../../numeric/lists.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { families, type Family } from "../../spec/algorithmDocs/families.ts";
import { Table } from "../../ui/DataTable.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { SignedBars } from "../shared/SignedBars.tsx";
import { DRAWN, exampleBatch, exampleCredit, type ExampleCredit } from "./example.ts";
import { words } from "./words.ts";
import { Folded } from "../../ui/Folded.tsx";

interface CreditPictureProps {
  configs: readonly AlgorithmConfig[];
  /** Names of the rows that are being read. */
  picked: readonly string[];
  hrefOf: (name: string) => string;
}

interface PictureRow {
  config: AlgorithmConfig;
  credit: ExampleCredit;
}

export function CreditPicture({ configs, picked, hrefOf }: CreditPictureProps) {
  const rows = useMemo(() => {
    const batch = exampleBatch();
    return configs.map((config) => ({ config, credit: exampleCredit(config, batch) }));
  }, [configs]);
  return (
    <section
      className="panel"
      aria-labelledby="credit-picture"
      data-testid="credit-picture"
      data-figure="credits"
      data-figure-title={words.picture}
    >
      <h2 id="credit-picture">{words.picture}</h2>
      <p className="note">{words.pictureNote}</p>
      <Table className="credit-picture" label={words.picture} boxClass="credit-box" head={<Head />}>
        <Rows title={words.first} rows={rows.filter(isFirst)} {...{ picked, hrefOf }} />
        {(Object.keys(families) as Family[]).map((family) => {
          const some = rows.filter((row) => row.credit.family === family && !isFirst(row));
          return <Rows key={family} title={families[family]} rows={some} {...{ picked, hrefOf }} />;
        })}
      </Table>
      <Folded title={words.pictureHow}>
        <p className="note">{words.pictureExample}</p>
      </Folded>
    </section>
  );
}

function Head() {
  return (
    <>
      <th scope="col">{words.algorithm}</th>
      {DRAWN.map(({ board, text }, h) => (
        <th key={h} scope="col" className="credit-turn">
          {words.turn(h + 1)}
          <BoardPicture observation={board} name={words.turn(h + 1)} />
          <code>{text}</code>
        </th>
      ))}
      <th scope="col">{words.unit}</th>
    </>
  );
}

/** Those of the opening page. */
const FIRST: readonly string[] = ["grpo", "token-ppo", "turn-ppo"];

const isFirst = ({ config: { name } }: PictureRow) => FIRST.includes(name);

type RowsProps = Omit<CreditPictureProps, "configs"> & {
  title: string;
  rows: readonly PictureRow[];
};

function Rows({ title: family, rows, picked, hrefOf }: RowsProps) {
  return (
    <>
      <tr>
        <th colSpan={DRAWN.length + 2} scope="colgroup" className="credit-family">
          {family}
        </th>
      </tr>
      {rows.map(({ config: { name, title }, credit }) => (
        <tr
          key={name}
          data-credit={name}
          data-unit={credit.unit}
          className={picked.includes(name) ? "picked" : undefined}
        >
          <th scope="row">
            <a href={hrefOf(name)} aria-current={picked.includes(name) ? "true" : undefined}>
              {title}
            </a>
          </th>
          <Bars credit={credit} />
          <td className="credit-unit">{words.units[credit.unit]}</td>
        </tr>
      ))}
    </>
  );
}

/** Scaled within the row, from one zero line; equal values within a turn are one bar. */
function Bars({ credit: { turns, unit } }: { credit: ExampleCredit }) {
  const among = turns.flat();
  const size = largestSize(among);
  return turns.map((tokens, h) => {
    const shown = unit === "token" ? tokens : tokens.slice(0, 1);
    return (
      <td key={h} className="credit-cell">
        <SignedBars values={shown} among={among} />
        <span className="credit-numbers">
          {shown.map((value, t) => (
            <span key={t} className={signClass(value, size)}>
              {formatSignedBrief(value, size)}
            </span>
          ))}
        </span>
      </td>
    );
  });
}
