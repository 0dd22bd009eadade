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
  const save =
    (ending: string, type: string, make: (svg: string) => string | Promise<Blob>) => async () => {
      download(await make(await picture()), `${fileName(name)}.${ending}`, type);
      return "";
    };
  return (
    <FigureMenu
      title={title}
      testId={testId}
      failed={words.noPicture}
      items={(run) => (
        <>
          <MenuItem
            data-testid="picture-svg"
            onSelect={run(save("svg", "image/svg+xml", (svg) => svg))}
          >
            {words.svg}
          </MenuItem>
          <MenuItem data-testid="picture-png" onSelect={run(save("png", "image/png", pngOf))}>
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
