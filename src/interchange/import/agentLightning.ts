/**
 * Agent Lightning: `train_trajectories.jsonl` (the last exchange of a rollout, whose prompt holds
 * the others), and the store's events, which have every request with its tokens.
 */
import { isRecord } from "../../spec/jsonText.ts";
import { turnsOfMessages, messageText } from "./conversation.ts";
import { bareEpisode, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import type { FileSource } from "./sources.ts";
import { promptAndAnswer, spokenTurns, type SpokenTurns } from "./spoken.ts";
import { tokensIn, tokenTurn } from "./tokens.ts";
import {
  listOf,
  nameFrom,
  namesInOrder,
  numberOf,
  stepFrom,
  textOrNull,
  type Fields,
} from "./values.ts";
import { verlWords } from "./verl.ts";
import { words } from "./words.ts";

/** What the page says of Agent Lightning's files. */
const lightningWords = {
  earlier:
    "A row holds the last exchange alone; the turns before it are taken from its prompt, and have no tokens.",
} as const;

const isEvent = (value: unknown): value is Fields =>
  isRecord(value) && "event_type" in value && "rollout_id" in value && isRecord(value["data"]);
const isTrajectory = (value: unknown): value is Fields =>
  isRecord(value) &&
  "rollout_id" in value &&
  typeof value["prompt"] === "string" &&
  typeof value["response"] === "string";

/** A rollout's requests, in order, and its reward. */
interface Events {
  requests: Fields[];
  reward: number | null;
}

export const agentLightning: Format = {
  apart: "nothing",
  joins: true,
  fits: (value) => isEvent(value) || isTrajectory(value),
  reader(findings, names) {
    const taskName = namesInOrder("prompt");
    const events = new Map<string, Events>();
    let left = names.length;
    return {
      take(value, file) {
        if (isEvent(value)) keepEvent(value, events);
        else if (isTrajectory(value)) takeTrajectory(value, file, findings, taskName, events);
        else return false;
        return true;
      },
      endFile() {
        if (--left > 0) return;
        for (const [id, one] of events) {
          findings.assume(verlWords.prompt);
          const task = taskName(firstAsked(one));
          const { reward } = one;
          findings.episode(
            "Agent-Lightning",
            0,
            bareEpisode(task, reward, turnsOfEvents(one), { id }),
          );
        }
      },
    };
  },
};

function keepEvent(event: Fields, events: Map<string, Events>): void {
  const id = nameFrom(event["rollout_id"]) ?? "";
  const own = events.get(id) ?? { requests: [], reward: null };
  events.set(id, own);
  const data = event["data"] as Fields;
  if (event["event_type"] === "reward") own.reward = numberOf(data["value"]);
  if (event["event_type"] === "model_request") own.requests.push(data);
}

function firstAsked({ requests: [first] }: Events): string {
  const request = first && isRecord(first["request"]) ? first["request"] : {};
  return (listOf(request["messages"]) ?? []).filter(isRecord).map(messageText).join("\n");
}

function answerOf(data: Fields): Fields {
  const response = isRecord(data["response"]) ? data["response"] : {};
  const [choice] = (listOf(response["choices"]) ?? []).filter(isRecord);
  return choice ?? {};
}

/** What each request was asked since the answer before it, and its answer. */
function turnsOfEvents({ requests }: Events): ForeignTurn[] {
  let known = 0;
  return requests.map((data) => {
    const request = isRecord(data["request"]) ? data["request"] : {};
    const messages = (listOf(request["messages"]) ?? []).filter(isRecord);
    const heard = messages.slice(known).filter(({ role }) => role !== "assistant");
    known = messages.length;
    const choice = answerOf(data);
    const text = isRecord(choice["message"]) ? messageText(choice["message"]) : "";
    const ids = listOf(choice["token_ids"]) ?? [];
    const logged = isRecord(choice["logprobs"]) ? listOf(choice["logprobs"]["content"]) : null;
    const rolloutLogprob = logged?.map((one) => (isRecord(one) ? one["logprob"] : null)) ?? null;
    const tokens = tokensIn({ ids, rolloutLogprob }, 0, ids.length);
    return tokenTurn(heard.map(messageText).join("\n"), text, tokens);
  });
}

function takeTrajectory(
  row: Fields,
  file: FileSource,
  findings: Findings,
  taskName: (key: string) => string,
  events: Map<string, Events>,
): void {
  const { step, isSaid } = stepFrom(file);
  if (!isSaid) findings.assume(words.noSteps);
  const id = nameFrom(row["rollout_id"]) ?? "";
  const response = textOrNull(row["response"])!;
  const [prompt, answer] = promptAndAnswer(`${textOrNull(row["prompt"])!}${response}`, findings);
  const said = spokenTurns(prompt, answer, findings);
  const reward = numberOf(row["reward"]);
  const own = events.get(id);
  const turns = own && isSame(own, said, reward) ? turnsOfEvents(own) : said.turns;
  if (turns === said.turns) {
    if (turns.length > 1) findings.assume(lightningWords.earlier);
  } else events.delete(id);
  findings.assume(verlWords.prompt);
  const more = { id, finalObservation: said.last };
  findings.episode("Agent-Lightning", step, bareEpisode(taskName(prompt), reward, turns, more));
}

/** Ids may come again in a later step: the same rollout has the same turns, last answer and reward. */
function isSame(events: Events, { turns }: SpokenTurns, reward: number | null): boolean {
  const last = events.requests.at(-1);
  const message = last && answerOf(last)["message"];
  const [turn] = turnsOfMessages([message]).turns;
  return (
    events.requests.length === turns.length &&
    events.reward === reward &&
    turn?.text.trim() === turns.at(-1)?.text.trim()
  );
}
