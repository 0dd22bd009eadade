/**
 * AReaL's trajectories: one file for each task of a step (`rollout/{step}/{task}.jsonl`), one line
 * for each sample. Before 2.0 the prompt is cut at `seqlen - sum(mask)`, which is wrong with several
 * turns; since then `segments` say who wrote what.
 */
import { bareTurn, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import type { FileSource } from "./sources.ts";
import { textCell, takeRow } from "./rows.ts";
import { promptAndAnswer, spokenTurns, type SpokenTurns } from "./spoken.ts";
import { isRecord } from "../../spec/jsonText.ts";
import {
  iterationNumber,
  listOf,
  namesInOrder,
  numberOf,
  textOrNull,
  type Fields,
} from "./values.ts";

/** What the page says of AReaL's files. */
const arealWords = {
  joined:
    "AReaL before 2.0 cuts the prompt of several turns in the wrong place: prompt and completion were joined and cut by the template.",
} as const;

const fits = (value: unknown): value is Fields =>
  isRecord(value) && "task_id" in value && "seqlen" in value && "completion" in value;

export const areal: Format = {
  apart: "nothing",
  fits,
  reader(findings) {
    const taskName = namesInOrder("task");
    return {
      take(value, file) {
        if (!fits(value)) return false;
        const step = stepFolder(file) ?? iterationNumber(value["tail_version"]);
        const [head, tail] = [numberOf(value["head_version"]), numberOf(value["tail_version"])];
        takeRow(value, "AReaL", file, findings, taskName, {
          conversation: arealConversation(value, findings),
          step,
          group: taskName(`${step} ${String(value["task_id"])}`),
          more: {
            ...(head !== null && tail !== null && { policy: [head, tail] as const }),
            ...("sample_idx" in value && {
              id: `${String(value["task_id"])}/${String(value["sample_idx"])}`,
            }),
          },
        });
        return true;
      },
    };
  },
};

function stepFolder({ name }: FileSource): number | null {
  const found = /(?:^|[\\/])(\d+)[\\/][^\\/]+$/.exec(name);
  return found ? iterationNumber(Number(found[1])) : null;
}

function arealConversation(row: Fields, findings: Findings): SpokenTurns {
  const segments = listOf(row["segments"])?.filter(isRecord);
  if (!segments) {
    findings.assume(arealWords.joined);
    const whole = textCell(row, "prompt") + textCell(row, "completion");
    return spokenTurns(...promptAndAnswer(whole, findings), findings);
  }
  const turns: ForeignTurn[] = [];
  let heard = "";
  for (const { role, text } of segments) {
    if (role !== "gen") heard += textOrNull(text) ?? "";
    else {
      turns.push(bareTurn(heard, textOrNull(text) ?? ""));
      heard = "";
    }
  }
  return { turns, last: heard };
}
