/** The one menu of a chart: its picture and its numbers as files, the numbers on the clipboard, and what else can be done with it. */
import { useState, type ReactNode } from "react";
import { copyText } from "../ui/clipboard.ts";
import { download, fileName } from "../ui/download.ts";
import { Icon } from "../ui/Icon.tsx";
import { Menu, MenuItem, MenuLine } from "../ui/Menu.tsx";
import { useBrush, type ChartSync } from "./chartSync.ts";
import { curvesAsJsonl, curvesAsText, type Separator } from "./curveText.ts";
import type { Curve } from "./curveTypes.ts";
import { pngOf } from "./picture.tsx";
import { chartWords as words } from "./words.ts";
import { Button } from "../ui/Button.tsx";

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
  const [said, setSaid] = useState("");
  const run = (work: () => Promise<string>) => () => {
    setSaid("");
    work().then(setSaid, () => setSaid(words.noPicture));
  };
  return (
    <>
      <span role="status" className="chart-said">
        {said}
      </span>
      <Menu
        align="end"
        trigger={
          <Button look="quiet" className="chart-menu" aria-label={words.menu(title)}>
            <Icon name="more" />
          </Button>
        }
      >
        <MenuItem onSelect={run(() => saveSvg(file))}>{words.svg}</MenuItem>
        <MenuItem onSelect={run(() => savePng(file))}>{words.png}</MenuItem>
        <MenuItem onSelect={run(() => saveNumbers(file, "csv"))}>{words.csvFile}</MenuItem>
        <MenuItem onSelect={run(() => saveNumbers(file, "jsonl"))}>{words.jsonlFile}</MenuItem>
        <MenuItem onSelect={run(() => copy(file, "tab"))}>{words.tsv}</MenuItem>
        <MenuItem onSelect={run(() => copy(file, "comma"))}>{words.csv}</MenuItem>
        <MenuLine />
        <ZoomItems sync={sync} />
        {more}
      </Menu>
    </>
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

async function saveSvg(file: ChartFile): Promise<string> {
  download(await file.picture(), `${fileName(file.name)}.svg`, "image/svg+xml");
  return "";
}

async function savePng(file: ChartFile): Promise<string> {
  download(await pngOf(await file.picture()), `${fileName(file.name)}.png`, "image/png");
  return "";
}

async function saveNumbers({ name, curves, xName }: ChartFile, kind: "csv" | "jsonl") {
  const all = await curves();
  const text = kind === "csv" ? curvesAsText(all, xName, "comma") : curvesAsJsonl(all, xName);
  const type = kind === "csv" ? "text/csv;charset=utf-8" : "application/jsonl";
  download(text, `${fileName(name)}.${kind}`, type);
  return "";
}

async function copy({ curves, xName }: ChartFile, separator: Separator): Promise<string> {
  const text = curvesAsText(await curves(), xName, separator);
  return (await copyText(text)) ? words.copied : words.notCopied;
}
