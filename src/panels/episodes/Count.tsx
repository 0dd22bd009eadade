/** How many episodes there are, how far the search is, and what ends it. */
import type { Progress } from "./useFound.ts";
import type { EpisodeSettings } from "./useSettings.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface CountProps {
  progress: Progress;
  /** Rows that the filters leave. */
  shown: number;
  settings: EpisodeSettings;
}

export function Count({ progress, shown, settings }: CountProps) {
  const { request, found, over, stopped, stop, goOn } = progress;
  const of = request.iterations.length;
  const filtered = settings.outcome !== "any" || settings.clipped;
  const result = words.found(shown, found.episodes, request.query, filtered);
  return (
    <div className="episodes-count">
      {/* Announced when it begins and when it ends, not all the way. */}
      <p role="status" data-testid="episodes-count" data-over={over}>
        {over ? result : stopped ? `${words.stopped(found.done, of)} ${result}` : words.looking(of)}
      </p>
      {!over && (
        <>
          <progress max={of} value={found.done} aria-label={words.progress} />
          <span className="note">{words.done(found.done, of)}</span>
          <Button onClick={stopped ? goOn : stop}>{stopped ? words.goOn : words.stop}</Button>
        </>
      )}
      {over && shown === 0 && found.episodes > 0 && (
        <Button onClick={settings.showAll}>{words.reset}</Button>
      )}
    </div>
  );
}
