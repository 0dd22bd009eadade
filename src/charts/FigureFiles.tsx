/** The menu of a figure: its picture and its numbers as files, the numbers on the clipboard, and what else can be done with it. */
import type { ReactNode } from "react";
import { download, fileName } from "../ui/download.ts";
import { MenuItem, MenuLine } from "../ui/Menu.tsx";
import { DataItems, FigureMenu, type DataMenuProps } from "./DataMenu.tsx";
import { pngOf } from "./svgFile.ts";
import { chartWords as words } from "./words.ts";

interface FigureFilesProps extends DataMenuProps {
  /** The text of an SVG file, made when it is asked for. */
  picture: () => Promise<string>;
  /** Further entries. */
  more?: ReactNode;
}

export function FigureFiles({ title, testId, name, table, picture, more }: FigureFilesProps) {
  const save = (content: string | Blob, ending: string, type: string) => {
    download(content, `${fileName(name)}.${ending}`, type);
    return "";
  };
  const svg = async () => save(await picture(), "svg", "image/svg+xml");
  const png = async () => save(await pngOf(await picture()), "png", "image/png");
  return (
    <FigureMenu
      title={title}
      testId={testId}
      failed={words.noPicture}
      items={(run) => (
        <>
          <MenuItem data-testid="picture-svg" onSelect={run(svg)}>
            {words.svg}
          </MenuItem>
          <MenuItem data-testid="picture-png" onSelect={run(png)}>
            {words.png}
          </MenuItem>
          <DataItems name={name} table={table} run={run} />
          {more && <MenuLine />}
          {more}
        </>
      )}
    />
  );
}
