/** The page that a browser tries its adapter in. */
import { tryAdapter } from "./tasks.ts";
import { studyMutants } from "./mutation.ts";

const golden = async (path: string) => {
  const response = await fetch(`/golden/${path}`);
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

const { gpu } = navigator;
Object.assign(window, {
  tryHere: () => tryAdapter({ gpu, plain: false, golden }),
  studyHere: (minutes: number) => studyMutants({ gpu, plain: false, golden }, minutes),
});
