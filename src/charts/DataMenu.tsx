/** The one menu of a figure's numbers: as a file of a spreadsheet or of lines, or on the clipboard. Charts, tables and cells share it. */
import { useState, type ReactNode } from "react";
import { copyText } from "../ui/clipboard.ts";
import { csvOf, jsonlOf, tsvOf } from "../ui/csv.ts";
import { download, fileName } from "../ui/download.ts";
import { Icon } from "../ui/Icon.tsx";
import { Menu, MenuItem } from "../ui/Menu.tsx";
import type { NumberTable } from "../ui/tablesIn.ts";
import { Button } from "../ui/Button.tsx";
import { menuLabel } from "./menuLabel.ts";
import { chartWords as words } from "./words.ts";

interface DataItemsProps {
  /** Files are called after it. */
  name: string;
  /** Made when it is asked for. */
  table: () => NumberTable | Promise<NumberTable>;
  /** Does the work, and says the sentence that it ends with. */
  run: (work: () => Promise<string>) => () => void;
}

export function DataItems({ name, table, run }: DataItemsProps) {
  const save = (ending: string, type: string) => (text: string) => {
    download(text, `${fileName(name)}.${ending}`, type);
    return "";
  };
  const copy = async (text: string) => ((await copyText(text)) ? words.copied : words.notCopied);
  const items = [
    ["data-csv", words.csvFile, csvOf, save("csv", "text/csv;charset=utf-8")],
    ["data-jsonl", words.jsonlFile, jsonlOf, save("jsonl", "application/jsonl")],
    ["copy-tsv", words.tsv, tsvOf, copy],
    ["copy-csv", words.csv, csvOf, copy],
  ] as const;
  return items.map(([testId, title, textOf, work]) => {
    const select = run(async () => {
      const { head, rows } = await table();
      return rows.length === 0 ? words.noNumbers : work(textOf(head, rows));
    });
    return (
      <MenuItem key={testId} data-testid={testId} onSelect={select}>
        {title}
      </MenuItem>
    );
  });
}

interface FigureMenuProps {
  title: string;
  testId?: string | undefined;
  /** Said where the work fails. */
  failed: string;
  items: (run: DataItemsProps["run"]) => ReactNode;
}

/** A button for a menu that says how its work ended. */
export function FigureMenu({ title, testId, failed, items }: FigureMenuProps) {
  const [said, setSaid] = useState("");
  const run: DataItemsProps["run"] = (work) => () => {
    setSaid("");
    work().then(setSaid, () => setSaid(failed));
  };
  return (
    <>
      <span role="status" className="chart-said">
        {said}
      </span>
      <Menu
        align="end"
        trigger={
          <Button
            look="quiet"
            className="chart-menu"
            aria-label={menuLabel(title)}
            data-as={testId}
            data-testid={testId}
          >
            <Icon name="more" />
          </Button>
        }
      >
        {items(run)}
      </Menu>
    </>
  );
}

export interface DataMenuProps extends Pick<DataItemsProps, "name" | "table"> {
  title: string;
  testId?: string | undefined;
}

export function DataMenu({ title, name, table, testId = `data-${name}` }: DataMenuProps) {
  return (
    <FigureMenu
      title={title}
      testId={testId}
      failed={words.noNumbers}
      items={(run) => <DataItems name={name} table={table} run={run} />}
    />
  );
}
