/** UI texts of the page of the reader's own model. */
import { counted } from "../../numeric/counted.ts";
import { formatBrief, formatDuration } from "../../numeric/format.ts";
import { words as folderWords } from "../../panels/shared/ask/folderWords.ts";
import type { WeightForm } from "../../model/loadOpened.ts";
import type { MeasuredSpeed, ModelReport, SaidEnd } from "../../runtime/modelReport.ts";

export const words = {
  title: "Your own model",
  intro:
    "Open a Qwen2, Qwen2.5 or Qwen3 folder from your disk or an address. Nothing leaves this computer.",
  back: "Back to the notebook",
  choose: folderWords.choose,
  another: folderWords.another,
  orDrop: "Or drop it anywhere on this page.",
  address: {
    label: "Or type an address",
    hint: "Of a Hugging Face model or folder. You see its size before anything is downloaded.",
    look: "Look at it",
    looking: "Looking …",
    found: (name: string, host: string, files: number, size: string) =>
      `${name} on ${host}: ${counted(files, "file")}, ${size}.`,
    download: (size: string, host: string) => `Download ${size} from ${host} and keep it here`,
    progress: "Downloaded",
    done: (done: string, all: string) => `${done} of ${all}`,
    stop: "Stop",
    unfinished: (size: string) => `An unfinished download takes ${size}; its address continues it.`,
    discard: "Delete the unfinished download",
  },
  folder: folderWords.folder,
  drop: "Drop the model folder",
  backend: "Backend",
  backends: { auto: "automatic", webgpu: "WebGPU", wasm: "WebAssembly" },
  weights: "Weights",
  forms: { stored: "as stored", int8: "int8, rounded", float32: "float32" },
  close: "Close the model",
  refused: "This model cannot be used",
  failed: "The worker stopped",
  whatToDo: "What to do:",
  doing: {
    empty: "",
    opening: "Reading the folder …",
    read: "Read. Nothing is loaded yet.",
    loading: "Loading the weights …",
    ready: "Loaded.",
    busy: "Working …",
  } satisfies Record<ModelReport["state"], string>,
  facts: {
    title: "What is in it",
    architecture: "Architecture",
    shape: "Shape",
    parameters: "Parameters",
    weights: "Weights on disk",
    tokenizer: "Tokenizer",
    template: "Chat template",
    hash: "Hash of its files",
    files: "Files",
    file: "File",
    bytes: "Size",
    sha256: "SHA-256",
    hashing: (share: number) => `reading, ${Math.floor(100 * share)} %`,
    noTemplate: "none: prompts are plain text",
    thinking: "yes, with a switch for thinking",
    plain: "yes",
    tokens: (n: number) => `${n.toLocaleString("en")} tokens`,
  },
  plan: {
    title: "Memory it takes",
    part: "Part",
    total: "In all",
    runsOn: (engine: string, tokens: number) =>
      `On ${engine}, with rows of up to ${tokens.toLocaleString("en")} tokens.`,
    load: "Load the weights",
    loading: (share: number) => `Loading, ${Math.floor(100 * share)} %`,
    measure: "Measure its speed, 10 s",
    speed: ({ writes, reads }: MeasuredSpeed) =>
      `It writes ${formatBrief(writes)} tokens a second and reads ${formatBrief(reads)}.`,
    iteration: (seconds: number, episodes: number) =>
      `An iteration of GRPO on Sokoban, ${counted(episodes, "episode")}: up to ${formatDuration(seconds)}; a hundred: ${formatDuration(100 * seconds)}.`,
  },
  episode: {
    title: "Score an episode",
    which: (task: string, turns: number) =>
      `The episode at the lens's cursor: ${task}, ${counted(turns, "turn")}.`,
    none: "Open a run or a rollout file in the lens first.",
    score: "Score its turns",
    turn: "Turn",
    tokens: "Tokens",
    logprob: "Log-prob",
    confidence: "Confidence",
    entropy: "Entropy a token",
    sampler: "In the file",
    difference: "Difference",
    note: "Log-probs of a whole turn. Confidence: the geometric mean of its tokens' probabilities. Each observation is a user's message.",
    texts: "Its texts",
  },
  kept: {
    title: "Kept in this browser",
    name: "Model",
    actions: "What to do",
    open: (name: string) => `Open ${name}`,
    drop: (name: string) => `Delete ${name}`,
    keep: "Keep in this browser",
    copying: (share: number) => `Copying, ${Math.floor(100 * share)} %`,
    isKept: "Kept in this browser.",
    failed: (why: string) => `Not kept: ${why}.`,
  },
  train: {
    link: "Train adapters on it with Sokoban",
  },
  talk: {
    title: "Let it write",
    prompt: "Prompt",
    system: "System message",
    systemHint: "Empty: the template's own.",
    thinks: "Think first",
    asChat: "Use the chat template",
    temperature: "Temperature",
    temperatureHint: "0 is greedy.",
    topP: "Top-p",
    topPHint: "1 keeps all tokens.",
    tokens: "Most tokens",
    seed: "Seed",
    sample: "Sample",
    score: "Score the prompt",
    compare: "Compare with stored weights",
    compareHint: "Loads the stored weights for a moment, then these again.",
    comparing: (share: number) => `Loading the weights, ${Math.floor(100 * share)} %`,
    compared: "Compared",
    stop: "Stop",
    answer: "Sampled",
    scored: "Scored",
    shade: "Darker: less likely.",
    table: "Tokens in numbers",
    token: "Token",
    id: "Id",
    logprob: "Log-prob",
    probability: "Probability",
    entropy: "Entropy",
    ended: (
      { why, promptTokens, seconds, difference }: SaidEnd,
      tokens: number,
      form: WeightForm,
    ): string => {
      if (difference) {
        const same = Math.round(difference.top1 * promptTokens);
        const over = `${form} against stored, over the prompt's first ${counted(promptTokens, "token")}`;
        return `${over}: KL ${formatBrief(difference.kl)} nats a token; the same token is likeliest after ${same} of them.`;
      }
      const after = `after ${counted(promptTokens, "token")} of prompt`;
      const rate = seconds > 0 ? `, ${formatBrief(tokens / seconds)} a second` : "";
      if (why === "scored" || why === "compared")
        return `${counted(tokens, "token")} scored in ${seconds.toFixed(1)} s.`;
      return `${counted(tokens, "token")} ${after}${rate}. ${ENDS[why]}`;
    },
    sum: (nats: number, tokens: number) =>
      `Log-prob ${nats.toFixed(3)} in all, ${(nats / Math.max(1, tokens)).toFixed(3)} a token.`,
  },
} as const;

const ENDS: Record<Exclude<SaidEnd["why"], "scored" | "compared">, string> = {
  stop: "It ended by itself.",
  limit: "The limit ended it.",
  hushed: "You stopped it.",
  failed: "It failed.",
};
