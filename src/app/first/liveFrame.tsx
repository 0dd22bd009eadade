/** Makes the frame of index.html interactive; when the page replaces it, guesses, pending actions and the focus are passed on. */
import { createRoot } from "react-dom/client";
import { rememberGuess } from "../../panels/opening/guessed.ts";
import { bringText } from "../../ui/parts/served.ts";
import { firstFacts } from "./facts.ts";
import { FirstScreen } from "./FirstScreen.tsx";

/** Resolves once it is interactive; at once if there is none. */
export async function bringToLife(): Promise<void> {
  const frame = document.getElementById("frame");
  const prose = frame?.querySelector(".prose")?.innerHTML;
  if (!frame || prose === undefined) return;
  const facts = firstFacts();
  if (facts) bringText(facts.file, JSON.stringify(facts.opening));
  const root = createRoot(frame);
  const goOver = followReader(frame);
  await new Promise<void>((onPainted) => {
    const onAsk = (name: string) => void goOver.asked.push(name);
    root.render(<FirstScreen {...{ prose, facts, onAsk, onPainted }} onGuess={rememberGuess} />);
  });
  frame.removeAttribute("aria-hidden");
  frame.inert = false;
  frame.dataset["live"] = "";
  whenGone(frame, () => {
    root.unmount();
    rememberGuess(null);
    // The page's own listeners are added after it is drawn.
    setTimeout(() => handOver(goOver));
  });
}

interface GoesOver {
  /** Names of the requested actions, in order. */
  asked: string[];
  /** The focused element: its kind, and its index among those of the kind. */
  focus: { name: string; place: number } | null;
}

function followReader(frame: HTMLElement): GoesOver {
  const found: GoesOver = { asked: [], focus: null };
  frame.addEventListener("pointerdown", () => (found.focus = null));
  frame.addEventListener("focusin", ({ target }) => {
    const name = (target as HTMLElement).dataset["as"];
    if (name === undefined) return;
    const same = [...frame.querySelectorAll(`[data-as="${name}"]`)];
    found.focus = { name, place: same.indexOf(target as Element) };
  });
  return found;
}

function whenGone(frame: HTMLElement, then: () => void): void {
  const observer = new MutationObserver(() => {
    if (frame.isConnected) return;
    observer.disconnect();
    then();
  });
  observer.observe(document.body, { childList: true });
}

function handOver({ asked, focus }: GoesOver): void {
  const partsOf = (name: string) =>
    document.querySelectorAll<HTMLElement>(`#root [data-as="${name}"]`);
  if (focus && document.activeElement === document.body)
    partsOf(focus.name)[focus.place]?.focus({ preventScroll: true });
  // The result of one press is drawn before the next one looks for its part.
  asked.forEach((name, i) => setTimeout(() => partsOf(name)[0]?.click(), i));
}
