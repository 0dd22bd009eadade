/** A chart as SVG or PNG. */
import { useState } from "react";
import { download, fileName } from "../../ui/download.ts";
import type { CurveJob } from "./lines.ts";
import type { Metric } from "./metrics.ts";
import { pngOf, svgOf } from "./picture.tsx";
import { words } from "./words.ts";

interface PictureButtonsProps {
  job: CurveJob;
  metric: Metric;
}

export function PictureButtons({ job, metric }: PictureButtonsProps) {
  const [failed, setFailed] = useState(false);
  const name = fileName(metric.key);
  const save = (make: () => Promise<void>) => () => {
    setFailed(false);
    make().catch(() => setFailed(true));
  };
  const svg = save(async () => download(await svgOf(job, metric), `${name}.svg`, "image/svg+xml"));
  const png = save(async () =>
    download(await pngOf(await svgOf(job, metric)), `${name}.png`, "image/png"),
  );
  const button = (format: string, onClick: () => void) => (
    <button type="button" onClick={onClick} aria-label={words.export.label(format, metric.title)}>
      {format}
    </button>
  );
  return (
    <div className="curve-export">
      <span className="note">{words.export.picture}</span>
      {button(words.export.svg, svg)}
      {button(words.export.png, png)}
      {failed && <p role="alert">{words.export.failed}</p>}
    </div>
  );
}
