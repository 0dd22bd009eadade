/** Pictures of what cells show now: their drawings, as PNG. What is no drawing, such as a table or a board, has none. */
import { pngOf } from "../../charts/picture.tsx";
import { base64Of } from "../../ui/base64.ts";

/** CSS pixels a side: smaller ones are icons. */
const LEAST = 100;

/** By the ids of cells, in the page's order. */
export async function cellPictures(root: ParentNode): Promise<Map<string, string[]>> {
  const pictures = new Map<string, string[]>();
  for (const cell of root.querySelectorAll<HTMLElement>("[data-cell]")) {
    const found: string[] = [];
    for (const drawing of cell.querySelectorAll("svg"))
      if (isDrawing(drawing)) found.push(await base64Of(await pngOf(asFile(drawing))));
    if (found.length > 0) pictures.set(cell.dataset["cell"]!, found);
  }
  return pictures;
}

function isDrawing(svg: SVGSVGElement): boolean {
  const { width, height } = svg.getBoundingClientRect();
  return width >= LEAST && height >= LEAST && !svg.parentElement?.closest("svg");
}

/** What a style sheet says of a drawing, and a file would not know. */
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity"],
  ...["opacity", "color", "display", "visibility", "text-anchor", "dominant-baseline"],
  ...["font-family", "font-size", "font-weight", "font-style"],
];

/** The text of an SVG file that looks as the drawing does in the page. */
function asFile(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.getBoundingClientRect();
  const [from, to] = [svg, copy].map((one) => [one, ...one.querySelectorAll<SVGElement>("*")]);
  from!.forEach((element, i) => takeStyles(element, to![i]!));
  for (const [name, value] of Object.entries({ width, height }))
    copy.setAttribute(name, String(value));
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

function takeStyles(from: Element, to: SVGElement): void {
  const style = getComputedStyle(from);
  for (const name of STYLES) to.style.setProperty(name, style.getPropertyValue(name));
}
