/** A picture of the page as it is now, which stays while the page below it changes. */

/** Lays the picture over the page; returns the function that removes it. */
export function holdPicture(root: HTMLElement): () => void {
  const held = document.createElement("div");
  held.className = "held";
  held.inert = true;
  held.setAttribute("aria-hidden", "true");
  held.dataset["testid"] = "held";
  held.append(copyOf(root));
  document.body.append(held);
  held.scrollTop = window.scrollY;
  return () => held.remove();
}

/** Including what copied elements lack: drawings on canvases, and the values of fields. */
function copyOf(root: HTMLElement): HTMLElement {
  const copy = root.cloneNode(true) as HTMLElement;
  const pairs = <T extends Element>(what: string) => {
    const copies = [...copy.querySelectorAll<T>(what)];
    return [...root.querySelectorAll<T>(what)].map((from, i) => [from, copies[i]!] as const);
  };
  for (const [from, to] of pairs<HTMLCanvasElement>("canvas"))
    if (from.width > 0 && from.height > 0) to.getContext("2d")?.drawImage(from, 0, 0);
  for (const [from, to] of pairs<HTMLInputElement>("input")) {
    // A group of its own: a copy in the same one would take the selection of the page's.
    to.removeAttribute("name");
    to.checked = from.checked;
    if (from.type !== "file") to.value = from.value;
  }
  for (const [from, to] of pairs<HTMLTextAreaElement | HTMLSelectElement>("textarea, select"))
    to.value = from.value;
  return copy;
}
