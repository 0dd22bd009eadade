/** Arrows over a board: where the player goes, and a cross if something blocks it. */
import type { Crop } from "./crop.ts";
import { movesOf, type MoveStep } from "./moves.ts";
import "./moveArrows.css";

interface MoveArrowsProps {
  observation: string;
  actions: readonly string[];
  /** The part of the board that is drawn, in cells. */
  crop: Crop;
}

/** The words beside the board have the same content. */
export function MoveArrows({ observation, actions, crop }: MoveArrowsProps) {
  const { left, top, width, height } = crop;
  return (
    <svg className="move-arrows" viewBox={`${left} ${top} ${width} ${height}`} aria-hidden="true">
      {movesOf(observation, actions).map((step, i) => (
        <Arrow key={i} step={step} />
      ))}
    </svg>
  );
}

/** In cells, from the player's middle. */
const FROM = 0.42;
const TO = 1;
const HEAD = 0.2;
const BLOCKED = 0.66;

/** Drawn twice: a pale line around a dark one is visible on any ground. */
function Arrow({ step: { x, y, dx, dy, blocked } }: { step: MoveStep }) {
  const [middleX, middleY] = [x + 0.5, y + 0.5];
  const at = (along: number, across: number) =>
    `${middleX + dx * along - dy * across} ${middleY + dy * along + dx * across}`;
  const path = blocked
    ? `M${at(BLOCKED - 0.14, -0.14)}L${at(BLOCKED + 0.14, 0.14)}M${at(BLOCKED - 0.14, 0.14)}L${at(BLOCKED + 0.14, -0.14)}`
    : `M${at(FROM, 0)}L${at(TO, 0)}M${at(TO - HEAD, -HEAD)}L${at(TO, 0)}L${at(TO - HEAD, HEAD)}`;
  return (
    <g data-blocked={blocked}>
      <path d={path} className="arrow-edge" />
      <path d={path} className="arrow" />
    </g>
  );
}
