/** Items to be put in order: dragged by mouse or finger, moved by buttons or arrow keys. */
import {
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from "react";
import { movedTo, orderGiven } from "../../../../notebook/quiz.ts";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { arrowStep } from "../../../../ui/roving.ts";
import type { AnswerProps } from "./quizAnswerProps.ts";
import { words as all } from "../../words.ts";

const words = all.quiz.order;

export function QuizOrder({ quiz, given, onAnswer }: AnswerProps) {
  const order = orderGiven(quiz, given);
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ item: number; button: string } | null>(null);
  const move = (from: number, to: number, button: string) => {
    const next = movedTo(order, from, to);
    if (next.join() === order.join()) return;
    setMoved({ item: order[from]!, button });
    onAnswer(next.join(","));
  };
  useFocusAfter(list, moved, given);
  const drag = useDrag(list, (from, to) => move(from, to, "up"));
  const say =
    moved &&
    words.moved(quiz.options[moved.item - 1]!, order.indexOf(moved.item) + 1, order.length);
  return (
    <>
      <p className="note">{words.about}</p>
      <ol ref={list} className="quiz-order" aria-label={all.quiz.yours} {...drag.handlers}>
        {order.map((item, i) => (
          <Item
            key={item}
            item={item}
            text={quiz.options[item - 1]!}
            drop={drag.at?.to === i && drag.at.from !== i ? side(drag.at) : undefined}
            isDragged={drag.at?.from === i}
            onGrip={(event) => drag.start(event, i)}
            onMove={(by, button) => move(i, i + by, button)}
          />
        ))}
      </ol>
      <span className="visually-hidden" role="status" data-testid="quiz-moved">
        {say}
      </span>
    </>
  );
}

interface ItemProps {
  item: number;
  text: string;
  /** Whether the dragged item would be dropped above or below it. */
  drop: "above" | "below" | undefined;
  isDragged: boolean;
  onGrip: (event: PointerEvent<HTMLElement>) => void;
  onMove: (by: 1 | -1, button: string) => void;
}

function Item({ item, text, drop, isDragged, onGrip, onMove }: ItemProps) {
  // On either button.
  const hear = (event: KeyboardEvent<HTMLElement>) => {
    const by = arrowStep(event, "column");
    if (by === null) return;
    event.preventDefault();
    onMove(by, event.currentTarget.dataset["move"]!);
  };
  return (
    <li data-item={item} data-drop={drop} data-dragged={isDragged || undefined}>
      <span className="quiz-grip" data-testid="quiz-grip" onPointerDown={onGrip}>
        {text}
      </span>
      <IconButton
        icon="up"
        name={words.up(text)}
        data-move="up"
        onKeyDown={hear}
        onClick={() => onMove(-1, "up")}
      />
      <IconButton
        icon="down"
        name={words.down(text)}
        data-move="down"
        onKeyDown={hear}
        onClick={() => onMove(1, "down")}
      />
    </li>
  );
}

/** An element that moves in the page loses the focus: its button gets it again. */
function useFocusAfter(
  list: RefObject<HTMLElement | null>,
  moved: { item: number; button: string } | null,
  given: string,
): void {
  useLayoutEffect(() => {
    if (!moved || !list.current) return;
    const { activeElement } = document;
    if (activeElement !== document.body && !list.current.contains(activeElement)) return;
    const item = list.current.querySelector(`[data-item="${moved.item}"]`);
    item?.querySelector<HTMLElement>(`[data-move="${moved.button}"]`)?.focus();
  }, [list, moved, given]);
}

interface Dragged {
  from: number;
  to: number;
}

const side = ({ from, to }: Dragged) => (to < from ? "above" : "below");

/** The list captures the pointer while an item is dragged, so that nothing else reacts. */
function useDrag(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void) {
  const [at, setAt] = useState<Dragged | null>(null);
  const start = (event: PointerEvent<HTMLElement>, from: number) => {
    if (event.button !== 0) return;
    event.preventDefault();
    list.current?.setPointerCapture(event.pointerId);
    setAt({ from, to: from });
  };
  const end = () => setAt(null);
  const handlers = {
    onPointerMove: ({ clientY }: PointerEvent) =>
      at && setAt({ from: at.from, to: placeAt(list.current, clientY, at.from) }),
    onPointerUp: () => {
      if (at) onDrop(at.from, at.to);
      end();
    },
    onPointerCancel: end,
    onLostPointerCapture: end,
  };
  return { at, start, handlers };
}

/** The place that the item from `from` gets at a height of the window: the number of other items above it. */
function placeAt(list: HTMLElement | null, y: number, from: number): number {
  const others = [...(list?.children ?? [])].filter((_, i) => i !== from);
  return others.filter((one) => {
    const { top, height } = one.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}
