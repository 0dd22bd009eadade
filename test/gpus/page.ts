/** The page that a browser tries its adapter in: it is asked now and then what it has found so far. */
import { studyMutants, type Study } from "./mutation.ts";
import { tryAdapter, type Adapter } from "./tasks.ts";

const golden = async (path: string) => {
  const response = await fetch(`/golden/${path}`);
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

/** What there is since the last look. */
export interface Look {
  news: unknown[];
  end: { result: unknown } | { error: string } | null;
}

const found: Look = { news: [], end: null };
const heard = (one: unknown) => void found.news.push(one);

const adapter: Adapter = { gpu: navigator.gpu, plain: false, golden };
const works = {
  try: () => tryAdapter({ ...adapter, heard }),
  study: (study: Study) => studyMutants(adapter, study, heard),
};

Object.assign(window, {
  begin(work: keyof typeof works, study: Study) {
    works[work](study).then(
      (result) => (found.end = { result }),
      (error: unknown) =>
        (found.end = { error: error instanceof Error ? error.message : String(error) }),
    );
  },
  look: (): Look => ({ news: found.news.splice(0), end: found.end }),
});
