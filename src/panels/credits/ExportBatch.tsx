/** The batch as a file, and the command that computes the same outside of the page. */
import { useState } from "react";
import { encodeBatch } from "../../record/encodeBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { sharedBatch, type Episodes } from "../../reading/credit/batch.ts";
import { commandOf, noNumbersOf } from "../../figures/credits/command.ts";
import type { TableInput } from "../../figures/credits/tableModel.ts";
import { copyText } from "../../ui/clipboard.ts";
import { download } from "../../ui/download.ts";
import { words } from "../../figures/credits/words.ts";
import { Button } from "../../ui/Button.tsx";

interface ExportBatchProps {
  input: Pick<TableInput, "rows" | "episodes" | "played" | "count">;
  iteration: number;
}

export function ExportBatch({ input, iteration }: ExportBatchProps) {
  const { rows, episodes } = input;
  const [name, setName] = useState("");
  const [said, say] = useState("");
  const usable = rows.filter(({ config }) => config !== null);
  const row = usable.find((one) => one.name === name) ?? usable[0];
  if (!row?.config) return null;
  const { config } = row;
  const file = `batch-${config.name}-${iteration}.json`;
  const reason = noNumbersOf(row, input);
  const text = () => batchText(config, episodes);
  return (
    <details className="take-batch" data-testid="credits-take">
      <summary>{words.take}</summary>
      <p className="note prose-note">{words.takeNote}</p>
      <div className="what-if-head">
        <label>
          {words.takeFor}{" "}
          <select
            value={config.name}
            data-testid="credits-take-for"
            onChange={({ target }) => setName(target.value)}
          >
            {usable.map((row) => (
              <option key={row.name} value={row.name}>
                {row.title}
              </option>
            ))}
          </select>
        </label>
        <Button data-command={words.exports.copy} onClick={() => void copy(text()).then(say)}>
          {words.copy}
        </Button>
        <Button data-command={words.exports.save} onClick={() => say(save(text(), file))}>
          {words.save}
        </Button>
        <span role="status" className="note">
          {said}
        </span>
      </div>
      <p className="command">
        {words.command}:{" "}
        {reason ?? <code data-testid="credits-command">{commandOf(row, input, file)}</code>}
      </p>
    </details>
  );
}

function batchText(config: AlgorithmConfig, episodes: Episodes): string {
  return JSON.stringify(encodeBatch(sharedBatch(config, episodes)));
}

async function copy(text: string): Promise<string> {
  return (await copyText(text)) ? words.copied : words.notCopied;
}

function save(text: string, file: string): string {
  download(text, file, "application/json");
  return words.saved(file);
}
