/** The episode cut in three ways, as a picture file. */
import { drawnFile } from "../../charts/svgFile.ts";
import { greatest } from "../../numeric/lists.ts";
import type { Opening } from "../../reading/opening.ts";
import { titleOf } from "../../reading/titles.ts";
import { cutsOf, type Cut } from "./cuts.ts";
import { MethodSwatch } from "./picture.tsx";
import { Label, Minus, PicturePage } from "./pictureParts.tsx";
import { signedCredit } from "./strip.ts";
import { cutsWords as words } from "./words.ts";

/** In pixels. */
const WIDTH = 900;
const EDGE = 12;
const TOP = 44;
const WAY = 84;
const PIECE = 30;
const GAP = 4;

/** The text of an SVG file. */
export function pictureOfCuts(opening: Opening): Promise<string> {
  return drawnFile(<CutsPicture opening={opening} />);
}

function CutsPicture({ opening }: { opening: Opening }) {
  const cuts = cutsOf(opening);
  const most = greatest(cuts.flatMap(({ turns }) => turns.flat().map(Math.abs))) || 1;
  const title = words.title(opening.turns.length);
  return (
    <PicturePage title={title} width={WIDTH} height={TOP + WAY * cuts.length}>
      {cuts.map((cut, i) => (
        <g key={cut.method} transform={`translate(0 ${TOP + WAY * i})`}>
          <g transform="translate(4 14)">
            <MethodSwatch name={cut.method} />
          </g>
          <Label x={46} y={18} strong>
            {titleOf(cut.method)}
          </Label>
          <Label x={160} y={18}>
            {cut.says}
          </Label>
          <Pieces turns={cut.turns} most={most} />
        </g>
      ))}
    </PicturePage>
  );
}

/** All turns have the same width; so do the pieces of a turn. */
function Pieces({ turns, most }: Pick<Cut, "turns"> & { most: number }) {
  const room = (WIDTH - 2 * EDGE) / turns.length;
  return turns.flatMap((pieces, h) =>
    pieces.map((value, i) => {
      const width = (room - GAP) / pieces.length - 1;
      const place = { x: EDGE + h * room + i * (width + 1), y: 30, width, height: PIECE };
      const opacity = 0.08 + 0.4 * (Math.abs(value) / most);
      return (
        <g key={`${h} ${i}`}>
          {value < 0 ? (
            <Minus {...place} opacity={opacity} />
          ) : (
            <rect {...place} rx={3} fill="var(--plus)" fillOpacity={opacity} />
          )}
          <Label x={place.x + width / 2} y={50} anchor="middle" strong>
            {signedCredit(value)}
          </Label>
        </g>
      );
    }),
  );
}
