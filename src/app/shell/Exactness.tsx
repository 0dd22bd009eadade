/** Next to the engine's name: where its numbers are reproducible, or that they are not. */
import { PROMISES, type Promised } from "../../spec/reproducible.ts";
import { words } from "./words.ts";

/** For the page's own engines before a run has reported it. */
const OWN: Partial<Record<string, Promised>> = { wasm: "everywhere", webgpu: "device" };

/** `promised`: by the running engine; null before. Renders nothing if unknown. */
export function Exactness({ backend, promised }: { backend: string; promised: string | null }) {
  const known = promised !== null && isPromise(promised) ? promised : OWN[backend];
  if (known === undefined) return null;
  const Said = known === "no" ? "span" : "strong";
  return (
    <>
      {", "}
      <Said title={PROMISES[known]} data-testid="bar-exact">
        {words.exact[known]}
      </Said>
    </>
  );
}

function isPromise(text: string): text is Promised {
  return Object.hasOwn(PROMISES, text);
}
