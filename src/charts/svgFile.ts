/** Drawings as files: a drawing of the page, or one made for the file, as SVG text with its styles in it; SVG as PNG. */
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

/** Properties that the page's style sheet sets, and a file would lack. */
const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity"],
  ...["stroke-linecap", "stroke-linejoin", "opacity", "color", "display", "visibility"],
  ...["text-anchor", "dominant-baseline", "font-family", "font-size", "font-weight", "font-style"],
];

/** The text of an SVG file that looks like the drawing in the page. */
export function svgFileOf(svg: SVGSVGElement): string {
  const { width, height } = svg.getBoundingClientRect();
  const copy = styledCopy(svg);
  for (const [name, value] of Object.entries({ width, height }))
    copy.setAttribute(name, String(value));
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

/** The same for a drawing that is not in the page: one `svg`, which gives its size. */
export function drawnFile(drawing: React.ReactElement): Promise<string> {
  return drawnAside(drawing, (place) =>
    new XMLSerializer().serializeToString(styledCopy(place.querySelector("svg")!)),
  );
}

/** The result of `read` on a drawing that is in the page, invisible, while it runs. */
export async function drawnAside<T>(
  drawing: React.ReactNode,
  read: (place: HTMLElement) => T | Promise<T>,
): Promise<T> {
  const place = document.createElement("div");
  place.style.cssText = "position:fixed;left:-10000px;top:0;";
  place.setAttribute("aria-hidden", "true");
  document.body.append(place);
  const root = createRoot(place);
  try {
    flushSync(() => root.render(drawing));
    return await read(place);
  } finally {
    root.unmount();
    place.remove();
  }
}

function styledCopy(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg, copy].map((one) => [one, ...one.querySelectorAll<SVGElement>("*")]);
  from!.forEach((element, i) => takeStyles(element, to![i]!));
  return copy;
}

function takeStyles(from: Element, to: SVGElement): void {
  const style = getComputedStyle(from);
  for (const name of STYLES) to.style.setProperty(name, style.getPropertyValue(name));
}

/** Twice the size, for screens and slides. */
const PIXELS = 2;

/** @throws Error if the browser cannot make one. */
export async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * PIXELS;
    canvas.height = image.naturalHeight * PIXELS;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("The canvas gave no picture.");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
