/**
 * Messages between the projector's window and the teacher's, over a BroadcastChannel of the page's
 * own origin. Incoming messages are validated: any page of that origin may send some.
 */
import { z } from "../../spec/zod.ts";

const share = z.number().check(z.gte(0), z.lte(1));
/** A point in the window, in shares of its width and height. */
const point = z.object({ x: share, y: share });
const step = z.int().check(z.gte(0), z.lte(999));

const saying = z.discriminatedUnion("kind", [
  /** The teacher's window asks for the projector's state. */
  z.object({ kind: z.literal("hello") }),
  /** The projector answers, and reports every change. */
  z.object({
    kind: z.literal("at"),
    lesson: z.string().check(z.maxLength(40)),
    step,
    isFrozen: z.boolean(),
    light: z.nullable(point),
  }),
  z.object({ kind: z.literal("go"), step }),
  z.object({ kind: z.literal("freeze"), isFrozen: z.boolean() }),
  z.object({ kind: z.literal("light"), light: z.nullable(point) }),
  /** The projector has left present mode. */
  z.object({ kind: z.literal("bye") }),
]);

export type Saying = z.output<typeof saying>;
export type LightPoint = z.output<typeof point>;

export const MIDDLE: LightPoint = { x: 0.5, y: 0.5 };

/** Moved by shares, and kept in the window. */
export function movedPoint({ x, y }: LightPoint, dx: number, dy: number): LightPoint {
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return { x: within(x + dx), y: within(y + dy) };
}

/** For an arrow key, in shares of the window; null for other keys. */
export function lightStep(key: string): { dx: number; dy: number } | null {
  return ARROWS[key] ?? null;
}

const STEP = 0.04;
const ARROWS: Readonly<Record<string, { dx: number; dy: number }>> = {
  ArrowLeft: { dx: -STEP, dy: 0 },
  ArrowRight: { dx: STEP, dy: 0 },
  ArrowUp: { dx: 0, dy: -STEP },
  ArrowDown: { dx: 0, dy: STEP },
};

export interface Talk {
  say(what: Saying): void;
  end(): void;
}

/** Opens the channel of one presentation. @param id of its projector's window. */
export function openTalk(id: string, hear: (what: Saying) => void): Talk {
  const channel = new BroadcastChannel(`turnbook-present-${id}`);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const read = saying.safeParse(data);
    if (read.success) hear(read.data);
  };
  return { say: (what) => channel.postMessage(what), end: () => channel.close() };
}

const KEY = "turnbook-presents";

/** Id of this window: it survives a reload, so that the teacher's window finds it again. */
export function ownTalkId(): string {
  const fresh = crypto.randomUUID().slice(0, 8);
  try {
    const id = sessionStorage.getItem(KEY) ?? fresh;
    sessionStorage.setItem(KEY, id);
    return id;
  } catch {
    return fresh;
  }
}
