/** The texts of all rows of the table. */
import { criticTexts } from "./critic.ts";
import { groupTexts } from "./group.ts";
import { plainTexts } from "./plain.ts";
import type { DocText } from "./text.ts";
import { turnGroupTexts } from "./turnGroup.ts";

export const rowTexts: Record<string, DocText> = {
  ...plainTexts,
  ...groupTexts,
  ...criticTexts,
  ...turnGroupTexts,
};
