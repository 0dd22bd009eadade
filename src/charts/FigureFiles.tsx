/** The menu of a figure that is no chart: its picture and its numbers, as files. */
import { DataItems, FigureMenu, type DataMenuProps } from "./DataMenu.tsx";
import { PictureItems } from "./PictureItems.tsx";
import { chartWords as words } from "./words.ts";

interface FigureFilesProps extends Omit<DataMenuProps, "testId"> {
  /** The text of an SVG file. */
  picture: () => Promise<string>;
}

export function FigureFiles({ title, name, table, picture }: FigureFilesProps) {
  return (
    <FigureMenu
      title={title}
      testId={`data-${name}`}
      failed={words.noPicture}
      items={(run) => (
        <>
          <PictureItems {...{ name, picture, run }} />
          <DataItems {...{ name, table, run }} />
        </>
      )}
    />
  );
}
