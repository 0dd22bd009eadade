/** The lesson that the page shows, and its step, for present mode. */
import { createStore } from "zustand/vanilla";

interface LessonPlace {
  /** Name of the site's lesson; "" for another notebook. */
  name: string;
  titles: readonly string[];
  /** From 0. */
  at: number;
  go: (to: number) => void;
}

export const lessonPlace = createStore<{ now: LessonPlace | null }>(() => ({ now: null }));
