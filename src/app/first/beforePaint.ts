/**
 * What `public/frame.js` needs before the first paint: the build writes it into index.html.
 * Patterns are tested on the hash and on the query.
 */
import { PREFERENCES_KEY } from "../../store/preferences.ts";
import { LESSON_ALONE } from "../book/bookAddress.ts";
import { STEP_KEY } from "../lesson/place.ts";
import { FRAMELESS } from "../route.ts";

export const BEFORE_PAINT = {
  frameless: FRAMELESS,
  lesson: LESSON_ALONE,
  /** As `present/Embed.tsx` reads it. */
  embedded: "[?&]embed(?:=|&|$)",
  preferences: PREFERENCES_KEY,
  step: STEP_KEY,
} as const;
