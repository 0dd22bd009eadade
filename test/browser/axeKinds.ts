/**
 * Texts whose colours are judged for all of their kind, since axe takes a millisecond for each of some thousands. Texts are of one kind
 * that have one look, are in elements of one look up to the root, and have in each of these the same looks of what is placed
 * over or under its neighbours.
 */

interface Asked {
  /** Selector of the part of the page. */
  within: string;
  /** Kinds that are known to be in order. */
  known: readonly string[];
  /** Kinds of whose first text axe could not say: the second is marked, and none of other kinds. */
  unsure?: readonly string[];
}

/** In the page: marks one text of each kind that is not known, with the kind as `data-axe-kind`. */
export function markKinds({ within, known, unsure }: Asked): void {
  const nth = unsure ? 2 : 1;
  const counts = new Map<string, number>();
  const wanted = new Set(unsure);
  const passed = new Set(known);
  const isWanted = (kind: string) => (unsure ? wanted.has(kind) : !passed.has(kind));
  /** Remembers what was said of an element. */
  const once = (say: (element: Element) => string) => {
    const said = new Map<Element, string>();
    return (element: Element): string => {
      const before = said.get(element);
      if (before !== undefined) return before;
      const now = say(element);
      said.set(element, now);
      return now;
    };
  };
  const lookOf = once((element) => {
    const style = getComputedStyle(element);
    const painted = [style.color, style.fill, style.backgroundColor, style.backgroundImage];
    const letters = [style.fontSize, style.fontWeight, style.textShadow];
    const placed = [style.opacity, style.position, style.filter, style.visibility];
    return [element.localName, element.getAttribute("class"), painted, letters, placed].join();
  });
  const isPlaced = (element: Element) => getComputedStyle(element).position !== "static";
  const placedIn = once((parent) => {
    const looks = [...parent.children].filter(isPlaced).map(lookOf);
    return [...new Set(looks)].sort().join("+");
  });
  /** FNV-1a over 2 x 32 bits, since a kind's description takes kilobytes. */
  const digest = (text: string) => {
    let [a, b] = [0x811c9dc5, 0xdeadbeef];
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
      b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
    }
    return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
  };
  const placeOf = once((element): string => {
    const parent = element.parentElement;
    return digest(`${lookOf(element)}|${parent ? placedIn(parent) + placeOf(parent) : ""}`);
  });
  const textOf = ({ childNodes }: Element) =>
    [...childNodes]
      .map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : ""))
      .join("")
      .trim();
  for (const element of document.querySelectorAll(`:is(${within}), :is(${within}) *`)) {
    const text = textOf(element);
    if (text === "" && !element.matches("input, textarea, select")) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    // Axe does not judge a single letter.
    const kind = placeOf(element) + (text.length === 1 ? "." : "");
    if (!isWanted(kind)) continue;
    const count = (counts.get(kind) ?? 0) + 1;
    if (count === nth) element.setAttribute("data-axe-kind", kind);
    counts.set(kind, count);
  }
}
