/** The opening page's figures as picture files: the same boards, bars and pieces, drawn as one SVG. */
import { drawnFile } from "../../charts/svgFile.ts";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { pictureOf } from "../../env/descriptors.ts";
import { spreadInWords } from "../../figures/spread.ts";
import { isZeroBeside } from "../../numeric/format.ts";
import { greatest } from "../../numeric/lists.ts";
import type { Opening } from "../../reading/opening.ts";
import { OPENING_METHODS } from "../../reading/openingMethods.ts";
import { titleOf } from "../../reading/titles.ts";
import { BoardSvg } from "../shared/BoardDrawing.tsx";
import { cropOf, type Crop } from "../shared/crop.ts";
import { MoveArrows } from "../shared/MoveArrows.tsx";
import { Label, Minus, PicturePage } from "./pictureParts.tsx";
import { boardsOf, signedCredit } from "./strip.ts";
import { openingWords as words } from "./words.ts";

/** In pixels: the methods' names, a turn, the text at a row's end, the title's line. */
const SIDE = 150;
const TURN = 130;
const TAIL = 160;
const TOP = 44;
/** A board's width; a row of credits, and the bars in it. */
const BOARD = 104;
const ROW = 76;
const BAR = { width: 52, height: 40 };

/** The text of an SVG file. `isSeen`: whether the true credit has been shown. */
export function pictureOfStrip(opening: Opening, isSeen: boolean): Promise<string> {
  return drawnFile(<StripPicture opening={opening} isSeen={isSeen} />);
}

function StripPicture({ opening, isSeen }: { opening: Opening; isSeen: boolean }) {
  const { turns, credits, truth } = opening;
  const boards = boardsOf(opening);
  const crop = cropOf(boards);
  const boardHeight = crop ? (BOARD * crop.height) / crop.width : 0;
  const rows = TOP + 24 + boardHeight + 34;
  const all = OPENING_METHODS.map((name) => ({ name, values: credits[name] ?? [] }));
  const width = SIDE + TURN * turns.length + TAIL;
  return (
    <PicturePage
      title={words.title}
      width={width}
      height={rows + ROW * (all.length + (isSeen ? 1 : 0))}
    >
      {boards.map((text, at) => (
        <g key={at} transform={`translate(${SIDE + TURN * at} ${TOP})`}>
          <Label x={TURN / 2} y={16} anchor="middle" strong>
            {at < turns.length ? words.turn(at + 1) : words.end}
          </Label>
          {crop && <Board {...{ text, crop }} height={boardHeight} actions={turns[at]?.actions} />}
          <Label x={TURN / 2} y={42 + boardHeight} anchor="middle">
            {turns[at]?.text ?? words.reward(signedCredit(opening.reward))}
          </Label>
        </g>
      ))}
      {all.map(({ name, values }, i) => (
        <Row key={name} y={rows + ROW * i} name={titleOf(name)} values={values}>
          <MethodSwatch name={name} />
        </Row>
      ))}
      {isSeen && (
        <Row y={rows + ROW * all.length} name={words.truth} values={truth.advantage}>
          <MarkerShape marker="diamond" cx={22} cy={0} colour="var(--ink)" />
        </Row>
      )}
    </PicturePage>
  );
}

interface BoardProps {
  text: string;
  crop: Crop;
  height: number;
  actions: readonly string[] | undefined;
}

function Board({ text, crop, height, actions = [] }: BoardProps) {
  const picture = pictureOf(text);
  return (
    <svg x={(TURN - BOARD) / 2} y={24} width={BOARD} height={height}>
      <svg viewBox={`0 0 ${crop.width * 20} ${crop.height * 20}`}>
        {picture && <BoardSvg picture={picture} crop={crop} />}
      </svg>
      <MoveArrows observation={text} actions={actions} crop={crop} />
    </svg>
  );
}

/** Colour, dash and marker of a method. */
export function MethodSwatch({ name }: { name: string }) {
  const { colour, dash, marker } = lineStyles([...OPENING_METHODS]).get(name)!;
  return (
    <>
      <path d="M8 0h28" stroke={colour} strokeWidth={2.5} strokeDasharray={dash} />
      <MarkerShape marker={marker!} cx={22} cy={0} colour={colour} />
    </>
  );
}

interface RowProps {
  y: number;
  name: string;
  /** [H] */
  values: readonly number[];
  /** The row's mark. */
  children: React.ReactNode;
}

/** Bars from the row's own zero line; the largest has full height. */
function Row({ y, name, values, children }: RowProps) {
  const most = greatest(values.map(Math.abs)) || 1;
  const up = greatest([0, ...values]) / most;
  return (
    <g transform={`translate(0 ${y})`}>
      <path d={`M12 0H${SIDE + TURN * values.length + TAIL - 12}`} stroke="var(--line)" />
      <g transform="translate(4 32)">{children}</g>
      <Label x={46} y={36} strong>
        {name}
      </Label>
      {values.map((value, h) => (
        <Bar
          key={h}
          x={SIDE + TURN * (h + 0.5)}
          zero={8 + up * BAR.height}
          share={isZeroBeside(value, most) ? 0 : value / most}
        >
          {signedCredit(value)}
        </Bar>
      ))}
      <Label x={SIDE + TURN * values.length + 10} y={36}>
        {spreadInWords(values)}
      </Label>
    </g>
  );
}

interface BarProps {
  x: number;
  zero: number;
  /** Share of the row's largest, with its sign. */
  share: number;
  children: string;
}

function Bar({ x, zero, share, children }: BarProps) {
  const height = Math.max(3, Math.abs(share) * BAR.height);
  const place = { x: x - BAR.width / 2, width: BAR.width, height };
  return (
    <>
      <path d={`M${x - 38} ${zero}h76`} stroke="var(--line-2)" />
      {share === 0 ? null : share > 0 ? (
        <rect {...place} y={zero - height} rx={2} fill="var(--plus)" />
      ) : (
        <Minus {...place} y={zero} />
      )}
      <Label x={x} y={ROW - 8} anchor="middle" strong sign={share}>
        {children}
      </Label>
    </>
  );
}
