/** Pictures of what cells show now: their drawings, as PNG. Tables, boards and other HTML have none. */
import { pngOf, svgFileOf } from "../../charts/svgFile.ts";
import { base64Of } from "../../ui/base64.ts";

/** CSS pixels per side: smaller ones are icons. */
const LEAST = 100;

/** By cell id, in the page's order. */
export async function cellPictures(root: ParentNode): Promise<Map<string, string[]>> {
  const pictures = new Map<string, string[]>();
  for (const cell of root.querySelectorAll<HTMLElement>("[data-cell]")) {
    const found: string[] = [];
    for (const drawing of cell.querySelectorAll("svg"))
      if (isDrawing(drawing)) found.push(await base64Of(await pngOf(svgFileOf(drawing))));
    if (found.length > 0) pictures.set(cell.dataset["cell"]!, found);
  }
  return pictures;
}

function isDrawing(svg: SVGSVGElement): boolean {
  const { width, height } = svg.getBoundingClientRect();
  return width >= LEAST && height >= LEAST && !svg.parentElement?.closest("svg");
}
