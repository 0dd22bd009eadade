/** One episode cut in three ways: into the whole, its turns, its tokens, with the credit that each method gives to each piece. */
import type { CSSProperties } from "react";
import { FigureFiles } from "../../charts/FigureFiles.tsx";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { signClass } from "../../charts/signedScale.ts";
import { lineStyles } from "../../charts/palette.ts";
import { greatest } from "../../numeric/lists.ts";
import { readOpening, type Opening } from "../../reading/opening.ts";
import { OPENING_METHODS } from "../../reading/openingMethods.ts";
import { titleOf } from "../../reading/titles.ts";
import { useServed } from "../../ui/parts/served.ts";
import { cutsOf, type Cut } from "./cuts.ts";
import { numbersOfCuts } from "./numbers.ts";
import { signedCredit } from "./strip.ts";
import { cutsWords as words, openingWords } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";
import "./cuts.css";

/** `file`: an opening figure's, beside the page. */
export function CutsFigure({ file }: { file: string }) {
  const opening = useServed(file, readOpening);
  if (opening === "missing") return <Empty>{openingWords.missing}</Empty>;
  if (typeof opening !== "object" || !opening) return <div className="cuts cuts-waiting" />;
  return <Cuts opening={opening} />;
}

function Cuts({ opening }: { opening: Opening }) {
  const title = words.title(opening.turns.length);
  const cuts = cutsOf(opening);
  const all = cuts.flatMap(({ turns }) => turns.flat());
  const tokens = opening.turns.map((_, h) =>
    greatest(cuts.map(({ turns }) => turns[h]?.length ?? 1)),
  );
  return (
    <figure
      className="cuts"
      aria-label={title}
      data-figure="cuts"
      data-figure-title={title}
      data-testid="cuts"
    >
      <div className="cuts-ways">
        {cuts.map((cut) => (
          <Way key={cut.method} cut={cut} most={greatest(all.map(Math.abs))} widths={tokens} />
        ))}
      </div>
      <figcaption>
        <span>
          <strong>{title}</strong> {words.scale}
        </span>
        <FigureFiles
          title={title}
          name="cuts"
          testId="data-cuts"
          table={() => numbersOfCuts(opening)}
          picture={async () => (await import("./cutsPicture.tsx")).pictureOfCuts(opening)}
        />
      </figcaption>
    </figure>
  );
}

/** With more pieces there is no room for numbers: the hints of the pieces have them, and the row says its range. */
const NUMBERED = 12;

interface WayProps {
  cut: Cut;
  most: number;
  /** Tokens of each turn: a turn is as wide in every row. */
  widths: readonly number[];
}

function Way({ cut: { method, turns, says }, most, widths }: WayProps) {
  const style = lineStyles([...OPENING_METHODS]).get(method)!;
  const count = turns.flat().length;
  return (
    <section className="cuts-way" aria-label={titleOf(method)}>
      <h3 className="opening-method">
        <LineSwatch {...style} />
        {titleOf(method)}
      </h3>
      <p className="note">{says}</p>
      <ol className="cuts-row">
        {turns.map((pieces, h) => (
          <li key={h} style={{ flexGrow: turns.length > 1 ? widths[h] : 1 }}>
            <span className="visually-hidden">{turns.length > 1 && words.turn(h + 1)}</span>
            {pieces.map((value, i) => (
              <Piece key={i} value={value} most={most} digits={count > 1 ? 1 : 2} />
            ))}
          </li>
        ))}
      </ol>
      {count > NUMBERED && <p className="note">{words.range(turns.flat())}</p>}
    </section>
  );
}

/** Darker for more credit; the sign is in the number, and stripes say minus. */
function Piece({ value, most, digits }: { value: number; most: number; digits: 1 | 2 }) {
  const share = most === 0 ? 0 : Math.abs(value) / most;
  return (
    <span
      className={signClass(value, most) === "minus" ? "cuts-piece cuts-minus" : "cuts-piece"}
      style={{ "--share": share.toFixed(3) } as CSSProperties}
      title={signedCredit(value)}
      data-testid="cuts-piece"
    >
      {signedCredit(value, digits)}
    </span>
  );
}
