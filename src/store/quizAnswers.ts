/**
 * What a reader has answered, kept beside the notebook and never in it: in this tab's storage, and in memory alone for
 * notebooks from elsewhere.
 */
const VERDICTS = ["open", "right", "wrong", "shown"] as const;
type QuizVerdict = (typeof VERDICTS)[number];

export interface QuizAnswer {
  /** The number of an option, or a number, as a text. */
  given: string;
  verdict: QuizVerdict;
  hinted: boolean;
}

const UNANSWERED: QuizAnswer = { given: "", verdict: "open", hinted: false };

/** A question of a notebook; a question that is worded anew is another one. */
export interface QuizPlace {
  /** The notebook's id or title, and the cell's id. */
  name: string;
  body: string;
  /** From elsewhere: nothing of it is written anywhere. */
  isForeign: boolean;
}

const memory = new Map<string, QuizAnswer>();

export function readAnswer(place: QuizPlace | null): QuizAnswer {
  if (!place) return UNANSWERED;
  return memory.get(keyOf(place)) ?? stored(place) ?? UNANSWERED;
}

export function keepAnswer(place: QuizPlace | null, answer: QuizAnswer): void {
  if (!place) return;
  memory.set(keyOf(place), answer);
  if (place.isForeign) return;
  try {
    sessionStorage.setItem(KEY + place.name, JSON.stringify({ ...answer, body: place.body }));
  } catch {
    // Storage is full or forbidden: it stays in memory.
  }
}

const KEY = "turnbook-quiz:";

const keyOf = ({ name, body }: QuizPlace) => `${name}\n${body}`;

function stored({ name, body, isForeign }: QuizPlace): QuizAnswer | null {
  if (isForeign) return null;
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY + name) ?? "null") as unknown;
    const { given, verdict, hinted, ...rest } = Object(kept) as Record<string, unknown>;
    const known = VERDICTS.find((one) => one === verdict);
    if (rest["body"] !== body || typeof given !== "string" || !known) return null;
    return { given, verdict: known, hinted: hinted === true };
  } catch {
    return null;
  }
}
