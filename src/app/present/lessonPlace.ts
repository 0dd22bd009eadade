/** The lesson that the page shows, and its step: what present mode goes through. */
import { createStore } from "zustand/vanilla";

interface LessonPlace {
  /** Of the site's lesson; "" of another notebook. */
  name: string;
  titles: readonly string[];
  /** From 0. */
  at: number;
  go: (to: number) => void;
}

export const lessonPlace = createStore<{ now: LessonPlace | null }>(() => ({ now: null }));
