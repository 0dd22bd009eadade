/** Items of a figure's menu that save its picture. */
import { download, fileName } from "../ui/download.ts";
import { MenuItem } from "../ui/Menu.tsx";
import { pngOf } from "./svgFile.ts";
import { chartWords as words } from "./words.ts";

interface PictureItemsProps {
  /** Files are called after it. */
  name: string;
  /** The text of an SVG file, made when it is asked for. */
  picture: () => Promise<string>;
  /** Does the work, and says the sentence that it ends with. */
  run: (work: () => Promise<string>) => () => void;
}

export function PictureItems({ name, picture, run }: PictureItemsProps) {
  const save = (content: string | Blob, ending: string, type: string) => {
    download(content, `${fileName(name)}.${ending}`, type);
    return "";
  };
  const svg = async () => save(await picture(), "svg", "image/svg+xml");
  const png = async () => save(await pngOf(await picture()), "png", "image/png");
  return (
    <>
      <MenuItem data-testid="picture-svg" onSelect={run(svg)}>
        {words.svg}
      </MenuItem>
      <MenuItem data-testid="picture-png" onSelect={run(png)}>
        {words.png}
      </MenuItem>
    </>
  );
}
