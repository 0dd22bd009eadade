/** A picture as data: a grid of cells, each a stack of sprites; the renderer knows what they look like. */

export type Sprite =
  "wall" | "target" | "box" | "tick" | "player" | "ice" | "hole" | "goal" | "lever";

export interface Picture {
  /** The sprites of each cell, lowest first; empty: plain floor. */
  rows: readonly (readonly (readonly Sprite[])[])[];
  /** The same in words. */
  label: string;
  /** Lines of the observation that are not drawn. */
  notes: string;
}

interface SymbolGrid {
  rows: readonly (readonly string[])[];
  notes: string;
}

/** The first consecutive lines made only of these symbols, and the lines around them; null if there are none. */
export function gridIn(observation: string, symbols: string): SymbolGrid | null {
  const lines = observation.split("\n");
  const isRow = (line: string) => {
    // An answer of a megabyte is left at its first letter.
    for (const c of line) if (!symbols.includes(c)) return false;
    return line.length > 1;
  };
  const start = lines.findIndex(isRow);
  if (start < 0) return null;
  let end = start;
  while (end < lines.length && isRow(lines[end]!)) end++;
  const rows = lines.slice(start, end).map((line) => [...line]);
  const notes = [...lines.slice(0, start), ...lines.slice(end)].join("\n").trim();
  return { rows, notes };
}

/** "4 by 4 lake. Player at row 2, column 3. Holes at ...": a grid in words, from the symbols for each thing. */
export function gridLabel(
  what: string,
  rows: SymbolGrid["rows"],
  things: readonly (readonly [name: string, symbols: string])[],
): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const parts = things.map(([name, symbols]) => placed(rows, name, symbols));
  return [`${rows.length} by ${width} ${what}.`, ...parts.filter((part) => part !== "")].join(" ");
}

function placed(rows: SymbolGrid["rows"], name: string, symbols: string): string {
  const places = rows.flatMap((row, r) =>
    row.flatMap((cell, c) => (symbols.includes(cell) ? [`row ${r + 1}, column ${c + 1}`] : [])),
  );
  return places.length === 0 ? "" : `${name} at ${places.join(" and ")}.`;
}
