/** The crop of a whole episode: apart, since the first screen draws boards without knowing environments. */
import { isEditableBoard } from "../../env/descriptors.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { cropOf, type Crop } from "./crop.ts";

/** The same part of every board of the episode; null if it has no Sokoban boards. */
export function episodeCrop({ turns, finalObservation }: EpisodeRecord): Crop | null {
  const first = turns[0]?.observation;
  if (first === undefined || !isEditableBoard(first)) return null;
  return cropOf([...turns.map(({ observation }) => observation), finalObservation]);
}
