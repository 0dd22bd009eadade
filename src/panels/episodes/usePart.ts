/** Which part of many rows is drawn: the first, until the cursor moves to a row of another or one asks for it. */
import { useState } from "react";

interface PartOptions {
  /** Row at the cursor; -1 where there is none. */
  here: number;
  count: number;
  /** Rows of a part. */
  most: number;
  /** What orders and filters the rows: another one begins at the first. */
  arrangement: string;
}

export function useListPart({ here, count, most, arrangement }: PartOptions) {
  const [part, setPart] = useState({ first: 0, here, arrangement });
  if (part.arrangement !== arrangement) setPart({ first: 0, here, arrangement });
  else if (part.here !== here)
    setPart({ first: partOf(Math.max(here, 0), most), here, arrangement });
  const from = Math.min(part.first, partOf(Math.max(0, count - 1), most));
  const show = (first: number) => setPart({ first, here, arrangement });
  return { from, to: Math.min(from + most, count), show };
}

function partOf(place: number, most: number): number {
  return Math.floor(place / most) * most;
}
