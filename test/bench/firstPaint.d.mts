/** What a first visit at one width costs; scripts by name with their gzip bytes. */
export interface FirstPaint {
  width: number;
  scriptBytes: number;
  pageBytes: number;
  paint: number;
  page: number;
  shift: number;
  scripts: Record<string, number>;
  pageScripts: Record<string, number>;
}

export function firstPaint(
  folder: string,
  options?: { runs?: number; widths?: { width: number; height: number }[] },
): Promise<FirstPaint[]>;
