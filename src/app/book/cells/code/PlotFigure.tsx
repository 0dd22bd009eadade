/** A cell's drawing, from its description: marks and options were checked when they left the sandbox. */
import * as Plot from "@observablehq/plot";
import { useEffect, useRef, useState } from "react";
import { lineStyles } from "../../../../charts/palette.ts";
import { isAlgorithmName } from "../../../../spec/algorithms.ts";
import type { PlotDescription, PlotMark } from "../../../../runtime/sandbox/plot.ts";
import { words } from "../../words.ts";

export function PlotFigure({ plot, label }: { plot: PlotDescription; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const box = place.current!;
    const draw = () => {
      try {
        box.replaceChildren(drawn(plot, label, box.clientWidth));
        setProblem(null);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
      }
    };
    draw();
    if (typeof ResizeObserver === "undefined") return;
    let width = box.clientWidth;
    const observer = new ResizeObserver(() => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      draw();
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [plot, label]);
  return (
    <>
      <div ref={place} className="cell-plot" data-testid="cell-plot" />
      {problem !== null && (
        <p className="notice notice-problem" role="alert">
          {words.code.notDrawn(problem)}
        </p>
      )}
    </>
  );
}

/** Pixels while the page has no width yet, and the limit. */
const WIDTH = { usual: 640, most: 900 };

function drawn({ options, marks }: PlotDescription, label: string, room: number): Element {
  const width = Math.min(room || WIDTH.usual, WIDTH.most);
  const figure = Plot.plot({
    width,
    ...methodColours(marks),
    ...options,
    // Our own class: its rules are in the page's style sheet.
    className: "cell-plot-svg",
    marks: marks.map(markOf),
  });
  // One picture with one name.
  figure.setAttribute("role", "img");
  figure.setAttribute("aria-label", label);
  for (const part of figure.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  // The page's policy allows no inline style sheet.
  for (const style of figure.querySelectorAll("style")) style.remove();
  return figure;
}

const CHANNELS = ["stroke", "fill"] as const;

/** A scale that gives methods the page's colours, if colour means methods. */
function methodColours(marks: readonly PlotMark[]): { color?: Plot.ScaleOptions } {
  const named = new Set(marks.flatMap(wordsOfColour));
  const domain = [...named].filter(isAlgorithmName);
  if (domain.length === 0 || domain.length < named.size) return {};
  const styles = lineStyles(domain);
  return { color: { domain, range: domain.map((name) => styles.get(name)!.colour), legend: true } };
}

/** The method or category of a mark's colour, row by row. */
function wordsOfColour({ data, options }: PlotMark): string[] {
  if (!Array.isArray(data)) return [];
  return CHANNELS.flatMap((channel) => {
    const by = options[channel];
    if (Array.isArray(by)) return by.map(String);
    const rows = data as readonly Record<string, unknown>[];
    return typeof by === "string" && Object.hasOwn(Object(rows[0]), by)
      ? rows.map((row) => String(row[by]))
      : [];
  });
}

type MarkMaker = (data: unknown, options: object) => Plot.Markish;

/** Marks without data take only their options. */
function markOf({ mark, data, options }: PlotMark): Plot.Markish {
  const make = (Plot as unknown as Record<string, MarkMaker>)[mark]!;
  return data === null
    ? (make as unknown as (options: object) => Plot.Markish)(options)
    : make(data, options);
}
