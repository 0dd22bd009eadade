/** A chart as a picture file: drawn again off screen, with its title, and a legend if its lines have no labels. */
import { WEIGHTS } from "./CurveLine.tsx";
import { CurvePlot } from "./CurvePlot.tsx";
import { planLabels } from "./endLabels.ts";
import type { DrawnCurve, DrawnFigure } from "./palette.ts";
import { drawnAside } from "./svgFile.ts";

const SIZE = { width: 900, height: 420 };
const TITLE = 34;
const ENTRY = 20;
const PAD = 12;

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** The picture as the text of an SVG file; @throws Error where recharts draws nothing. */
export async function chartPicture(figure: DrawnFigure): Promise<string> {
  const { title, code, how, curves, format } = figure;
  const labels = planLabels(curves, format, SIZE);
  const inner = await drawn(<CurvePlot {...figure} sync={null} size={SIZE} labels={labels} />);
  const listed = labels.complete ? [] : curves;
  const name = code === undefined || code === title ? "" : ` (${code})`;
  return resolved(framed(title, `${name}${how}`, listed, inner));
}

function drawn(picture: React.ReactNode): Promise<string> {
  return drawnAside(picture, async (place) => {
    // The frame measures its axes before it draws its content.
    for (let i = 0; i < 20 && !place.querySelector("[data-curve]"); i++) await nextTask();
    await nextTask();
    const svg = place.querySelector("svg");
    if (!svg) throw new Error("There is no picture.");
    svg.setAttribute("y", String(TITLE));
    return new XMLSerializer().serializeToString(svg);
  });
}

function framed(title: string, how: string, curves: readonly DrawnCurve[], inner: string): string {
  const { width } = SIZE;
  const height = TITLE + SIZE.height + ENTRY * curves.length + PAD;
  const top = (i: number) => TITLE + SIZE.height + ENTRY * (i + 0.5);
  const legend = curves.map((curve, i) => legendEntry(curve, top(i))).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">` +
    `<rect width="100%" height="100%" fill="var(--page)"/>` +
    `<text x="${PAD}" y="22" font-size="16" font-weight="600" fill="var(--ink)">${escaped(title)}` +
    `<tspan font-size="13" font-weight="400">${escaped(how)}</tspan></text>` +
    `${inner}${legend}</svg>`
  );
}

function legendEntry({ name, note, colour, dash, weight }: DrawnCurve, y: number): string {
  const { width, opacity } = WEIGHTS[weight];
  const text = escaped(note === "" ? name : `${name}, ${note}`);
  return (
    `<line x1="56" x2="96" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="${width + 0.5}" ` +
    `stroke-dasharray="${dash}" opacity="${opacity}"/>` +
    `<text x="104" y="${y + 4}" fill="var(--ink)">${text}</text>`
  );
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Colours of the page's theme as they are now: a file knows no theme. */
function resolved(svg: string): string {
  const theme = getComputedStyle(document.documentElement);
  return svg.replace(/var\((--[\w-]+)\)/g, (_, name: string) =>
    theme.getPropertyValue(name).trim(),
  );
}
