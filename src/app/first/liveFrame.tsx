/** The frame of index.html comes to life; when the page takes its place, what was guessed, asked and had the focus goes over to it. */
import { createRoot } from "react-dom/client";
import { rememberGuess } from "../../panels/opening/guessed.ts";
import { bringText } from "../../ui/parts/served.ts";
import { firstFacts } from "./facts.ts";
import { FirstScreen } from "./FirstScreen.tsx";

/** Resolves once it answers; at once where there is none. */
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
    // The page's own listeners come after it is drawn.
    setTimeout(() => handOver(goOver));
  });
}

interface GoesOver {
  /** Names of what was asked, in order. */
  asked: string[];
  /** What has the focus: the name of its kind, and its place among them. */
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
  // What one press changes is drawn before the next looks for its part.
  asked.forEach((name, i) => setTimeout(() => partsOf(name)[0]?.click(), i));
}
