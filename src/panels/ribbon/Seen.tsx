/** What a turn saw: a board with its moves, a page of the shop, or the beginning of a text. */
import { memo, type CSSProperties } from "react";
import { isEditableBoard, pictureOf } from "../../env/descriptors.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { BoardDrawing } from "../shared/BoardDrawing.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { cropOf, type Crop } from "../shared/crop.ts";
import { MoveArrows } from "../shared/MoveArrows.tsx";
import { beginning, newLines } from "./describe.ts";
import { pageSketch, type PageSketch } from "./pageText.ts";
import { words } from "./words.ts";

const { page: say } = words;

/** Maximum products drawn of a list. */
const MOST = 3;

const PagePicture = memo(function PagePicture({ sketch }: { sketch: PageSketch }) {
  const { kind, title, price, options, buttons } = sketch;
  const isResults = kind === "results";
  return (
    <div className="page-picture" data-page={kind} data-testid="page-picture">
      <p className="page-kind">{isResults ? title : say.kinds[kind]}</p>
      {!isResults && title !== "" && <p className="page-title">{say.title(kind, title)}</p>}
      {price !== "" && <p className="page-price">{price}</p>}
      {isResults && <Products {...sketch} />}
      {options.map(({ name, count, chosen }) => (
        <p key={name} className={chosen === null ? "page-option" : "page-option page-chosen"}>
          {say.option(name, count, chosen)}
        </p>
      ))}
      <p className="page-buttons">
        {buttons.map((name) => (
          <span key={name}>{name} </span>
        ))}
      </p>
    </div>
  );
});

/** A thumbnail of a shop page: title, price, selected options, buttons. */
function Products({ products }: PageSketch) {
  return (
    <>
      {products.slice(0, MOST).map(({ title, price, opened }, i) => (
        <p key={i} className="page-product">
          <span>
            {opened && say.opened} {title}
          </span>{" "}
          <b>{price}</b>
        </p>
      ))}
      {products.length > MOST && <p>{say.more(products.length - MOST)}</p>}
      {products.length === 0 && <p>{say.noProducts}</p>}
    </>
  );
}

interface SeenProps {
  observation: string;
  /** The observation of the previous turn. */
  before: string | undefined;
  /** The turn's actions; null if unknown. */
  actions: readonly string[] | null;
  /** The part of a Sokoban board that is drawn. */
  crop: Crop | null;
}

/** For a text that is neither board nor page, the beginning of its new part. */
export const Seen = memo(function Seen({ observation, before, actions, crop }: SeenProps) {
  const picture = pictureOf(observation);
  if (picture && crop && isEditableBoard(observation))
    return (
      <div className="ribbon-board" style={boardStyle(crop)}>
        <BoardDrawing {...{ picture, crop }} />
        <MoveArrows {...{ observation, crop }} actions={actions ?? []} />
      </div>
    );
  if (picture) return <BoardPicture observation={observation} />;
  const sketch = pageSketch(observation);
  if (sketch) return <PagePicture sketch={sketch} />;
  return <pre className="ribbon-page">{beginning(newLines(observation, before), 400)}</pre>;
});

/** The longer side of any board has the same length. */
function boardStyle({ width, height }: Crop): CSSProperties {
  return { "--board-width": Math.min(1, width / height).toFixed(3) } as CSSProperties;
}

/** The same part of every board of the episode; null if it has no Sokoban boards. */
export function episodeCrop({ turns, finalObservation }: EpisodeRecord): Crop | null {
  const first = turns[0]?.observation;
  if (first === undefined || !isEditableBoard(first)) return null;
  return cropOf([...turns.map(({ observation }) => observation), finalObservation]);
}
