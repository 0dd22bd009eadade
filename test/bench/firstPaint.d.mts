/** What a first visit at one width costs; scripts by name with their gzip bytes. */
export interface FirstPaint {
  width: number;
  /** Before the first contentful paint, before what it shows answers, and before the whole page is there. */
  scriptBytes: number;
  liveBytes: number;
  pageBytes: number;
  paint: number;
  /** What the first paint has. */
  painted: { boards: number; credits: number };
  live: number;
  page: number;
  shift: number;
  /** By selector; empty unless asked for. */
  fonts: Record<string, string>;
  scripts: Record<string, number>;
  liveScripts: Record<string, number>;
  pageScripts: Record<string, number>;
}

export function firstPaint(
  folder: string,
  options?: { runs?: number; widths?: { width: number; height: number }[]; fonts?: boolean },
): Promise<FirstPaint[]>;
