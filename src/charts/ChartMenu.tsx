/** The one menu of a chart: its picture and its numbers as files, the numbers on the clipboard, and what else can be done with it. */
import { useState, type ReactNode } from "react";
import { DropdownMenu } from "radix-ui";
import { copyText } from "../ui/clipboard.ts";
import { download, fileName } from "../ui/download.ts";
import { Icon } from "../ui/Icon.tsx";
import { useBrush, type ChartSync } from "./chartSync.ts";
import { curvesAsJsonl, curvesAsText, type Separator } from "./curveText.ts";
import type { Curve } from "./curveTypes.ts";
import { pngOf } from "./picture.tsx";
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
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <button type="button" className="quiet chart-menu" aria-label={words.menu(title)}>
            <Icon name="more" />
          </button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <MenuItem name={words.svg} onSelect={run(() => saveSvg(file))} />
            <MenuItem name={words.png} onSelect={run(() => savePng(file))} />
            <MenuItem name={words.csvFile} onSelect={run(() => saveNumbers(file, "csv"))} />
            <MenuItem name={words.jsonlFile} onSelect={run(() => saveNumbers(file, "jsonl"))} />
            <MenuItem name={words.tsv} onSelect={run(() => copy(file, "tab"))} />
            <MenuItem name={words.csv} onSelect={run(() => copy(file, "comma"))} />
            <DropdownMenu.Separator className="menu-line" />
            <ZoomItems sync={sync} />
            {more}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  );
}

interface MenuItemProps {
  name: string;
  onSelect: () => void;
}

export function MenuItem({ name, onSelect }: MenuItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" onSelect={onSelect}>
      {name}
    </DropdownMenu.Item>
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
      {brush && <MenuItem name={words.zoomIn} onSelect={() => sync.zoom([...brush])} />}
      <MenuItem name={words.clear} onSelect={showAll} />
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
