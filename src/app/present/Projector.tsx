/** The projector's part of a presentation: it follows the teacher's window, can freeze its picture, and has a spotlight. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useStore } from "zustand";
import { Button } from "../../ui/Button.tsx";
import { lessonPlace } from "./lessonPlace.ts";
import {
  lightStep,
  MIDDLE,
  movedPoint,
  openTalk,
  type LightPoint,
  type Saying,
  type Talk,
} from "./talk.ts";
import { words } from "./words.ts";

interface Projected {
  light: LightPoint | null;
  setLight: (light: LightPoint | null) => void;
}

/** Mounted during the presentation. @param id of its channel to the teacher's window. */
export function useProjector(id: string): Projected {
  const [light, setLight] = useState<LightPoint | null>(null);
  const [isFrozen, setFrozen] = useState(false);
  const lesson = useStore(lessonPlace, ({ now }) => now);
  const talk = useRef<Talk | null>(null);
  const report = useEffectEvent(() => {
    if (lesson)
      talk.current?.say({ kind: "at", lesson: lesson.name, step: lesson.at, isFrozen, light });
  });
  const hear = useEffectEvent((what: Saying) => {
    if (what.kind === "hello") report();
    if (what.kind === "go") lesson?.go(Math.min(what.step, lesson.titles.length - 1));
    if (what.kind === "freeze") setFrozen(what.isFrozen);
    if (what.kind === "light") setLight(what.light);
  });
  useEffect(() => {
    const line = openTalk(id, (what) => hear(what));
    talk.current = line;
    return () => {
      line.say({ kind: "bye" });
      line.end();
      talk.current = null;
    };
  }, [id]);
  useEffect(() => report(), [lesson, isFrozen, light]);
  useEffect(() => {
    const root = document.getElementById("root");
    return isFrozen && root ? holdPicture(root) : undefined;
  }, [isFrozen]);
  useLightKeys(light, setLight);
  return { light, setLight };
}

/** L toggles it, the pointer and Shift with an arrow move it. */
function useLightKeys(
  light: LightPoint | null,
  setLight: (light: LightPoint | null) => void,
): void {
  const key = useEffectEvent((event: KeyboardEvent) => {
    const { key: name, target, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || isTyping(target)) return;
    const by = shiftKey && light !== null ? lightStep(name) : null;
    if (by) setLight(movedPoint(light!, by.dx, by.dy));
    else if (name === "l") setLight(light === null ? MIDDLE : null);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  const move = useEffectEvent(({ clientX, clientY }: PointerEvent) => {
    if (light === null) return;
    setLight(movedPoint({ x: 0, y: 0 }, clientX / window.innerWidth, clientY / window.innerHeight));
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => key(event);
    const onMove = (event: PointerEvent) => move(event);
    window.addEventListener("keydown", onKey, { capture: true });
    window.addEventListener("pointermove", onMove);
    return () => {
      window.removeEventListener("keydown", onKey, { capture: true });
      window.removeEventListener("pointermove", onMove);
    };
  }, []);
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.closest("input:not([type=range], [type=radio]), select, textarea") !== null;
}

/** A bright circle; the rest of the window is dimmed. */
export function Spotlight({ light }: { light: LightPoint | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!light) return;
    place.current?.style.setProperty("--light-x", `${100 * light.x}%`);
    place.current?.style.setProperty("--light-y", `${100 * light.y}%`);
  }, [light]);
  return light && <div ref={place} className="spotlight" data-testid="spotlight" aria-hidden />;
}

/** Opens the teacher's window, and switches the spotlight. */
export function ProjectorButtons({ id, light, setLight }: Projected & { id: string }) {
  const lesson = useStore(lessonPlace, ({ now }) => now);
  return (
    <div className="present-tools">
      <Button
        aria-pressed={light !== null}
        data-testid="present-light"
        onClick={() => setLight(light === null ? MIDDLE : null)}
      >
        {words.light} <kbd aria-hidden="true">L</kbd>
      </Button>
      {lesson && lesson.name !== "" && (
        <Button data-testid="present-teacher" onClick={() => openTeacher(id, lesson.name)}>
          {words.teacher}
        </Button>
      )}
    </div>
  );
}

/** A separate window, to be moved to another screen. */
function openTeacher(id: string, lesson: string): void {
  const address = `${location.pathname}?teacher=${id}#lesson/${lesson}`;
  window.open(address, `turnbook-teacher-${id}`, "popup,width=1000,height=720");
}

/** Lays the picture over the page; returns the function that removes it. */
function holdPicture(root: HTMLElement): () => void {
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
