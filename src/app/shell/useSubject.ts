/** The experiment that the run bar and the keys of a run apply to. */
import { useStore } from "zustand";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { runQueue } from "../../store/runQueue.ts";
import { lessonPlace } from "../present/lessonPlace.ts";
import type { Route } from "../route.ts";
import { inView } from "./inView.ts";

/**
 * The subject of Run: in the lens its experiment, in the shop the run of its trip, in a notebook the
 * one in view, or else the one that trains. A lesson's recorded run is viewed, not run; other views
 * have no experiment.
 */
export function useSubject(
  route: Route,
  active: ExperimentHandle | undefined,
  shop: ExperimentHandle | undefined,
): ExperimentHandle | undefined {
  const seen = useStore(inView, ({ of }) => of);
  const trains = useStore(runQueue, ({ current }) => current);
  const isLesson = useStore(lessonPlace, ({ now }) => now !== null);
  if (route === "lens") return active;
  if (shop) return shop;
  if (route !== "notebook") return trains ?? undefined;
  return seen ?? trains ?? (isLesson ? undefined : active);
}
