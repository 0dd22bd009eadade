/** A small picture of the projector's window, over which the spotlight is moved. */
import type { KeyboardEvent, PointerEvent } from "react";
import { Button } from "../../ui/Button.tsx";
import { lightStep, MIDDLE, movedPoint, type LightPoint } from "./talk.ts";
import { teacherWords as words } from "./words.ts";

interface PadProps {
  /** Null: it is off. */
  light: LightPoint | null;
  onMove: (light: LightPoint | null) => void;
}

export function SpotlightPad({ light, onMove }: PadProps) {
  const point = ({ currentTarget, clientX, clientY }: PointerEvent<Element>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onMove(movedPoint({ x: 0, y: 0 }, (clientX - left) / width, (clientY - top) / height));
  };
  const key = (event: KeyboardEvent) => {
    const by = lightStep(event.key);
    if (!by) return;
    event.preventDefault();
    onMove(movedPoint(light ?? MIDDLE, by.dx, by.dy));
  };
  return (
    <>
      <Button
        aria-pressed={light !== null}
        data-testid="teacher-light"
        onClick={() => onMove(light === null ? MIDDLE : null)}
      >
        {words.light}
      </Button>
      {light && (
        <Button
          className="teacher-pad"
          aria-label={words.pad}
          data-testid="teacher-pad"
          onPointerMove={point}
          onKeyDown={key}
        >
          <svg viewBox="0 0 160 90" preserveAspectRatio="none" aria-hidden="true">
            <ellipse cx={160 * light.x} cy={90 * light.y} rx={15} ry={15} />
          </svg>
        </Button>
      )}
    </>
  );
}
