/** The one menu of a chart: its picture and its numbers as files, the numbers on the clipboard, and what else can be done with it. */
import type { ReactNode } from "react";
import { MenuItem, MenuLine } from "../ui/Menu.tsx";
import { useBrush, type ChartSync } from "./chartSync.ts";
import type { Curve } from "./curveTypes.ts";
import { DataItems, FigureMenu } from "./DataMenu.tsx";
import { tableOfCurves } from "./curve.ts";
import { PictureItems } from "./PictureItems.tsx";
import { chartWords as words } from "./words.ts";

/** What a chart's numbers and picture are made of, when they are asked for. */
export interface ChartFile {
  /** Of the metric; files are called after it. */
  name: string;
  xName: string;
  /** With every point and every interval. */
  curves: () => Promise<readonly Curve[]>;
  /** Text of an SVG file. */
  picture: () => Promise<string>;
}

interface ChartMenuProps {
  title: string;
  file: ChartFile;
  sync: ChartSync;
  more?: ReactNode;
}

export function ChartMenu({ title, file, sync, more }: ChartMenuProps) {
  const { name, xName, curves } = file;
  return (
    <FigureMenu
      title={title}
      failed={words.noPicture}
      items={(run) => (
        <>
          <PictureItems name={name} picture={file.picture} run={run} />
          <DataItems
            name={name}
            table={async () => tableOfCurves(await curves(), xName)}
            run={run}
          />
          <MenuLine />
          <ZoomItems sync={sync} />
          {more}
        </>
      )}
    />
  );
}

function ZoomItems({ sync }: { sync: ChartSync }) {
  const brush = useBrush(sync);
  const showAll = () => {
    sync.select(null);
    sync.zoom(null);
  };
  return (
    <>
      {brush && <MenuItem onSelect={() => sync.zoom([...brush])}>{words.zoomIn}</MenuItem>}
      <MenuItem onSelect={showAll}>{words.clear}</MenuItem>
    </>
  );
}
