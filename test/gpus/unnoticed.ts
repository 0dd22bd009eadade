/** Why a kernel without a barrier or a bound may pass every case. */

interface Unnoticed {
  /** Of places in words, "KERNEL: SITE". */
  places: RegExp;
  why: string;
}

/** The first that fits counts. */
export const UNNOTICED: readonly Unnoticed[] = [
  {
    places: /lane(Sum|Max), condition: if \(lane < s\)/,
    why: "higher lanes add too, to places that lower lanes have read before: software adapters run lanes in order",
  },
  {
    places: /^(headStats|sumSquares): lane(Sum|Max), barrier: after let all/,
    why: "lane 0 alone uses the sum, and its own place is what it reads",
  },
  {
    places: /^\w+, subgroups: lane(Sum|Max), barrier: after b =/,
    why: "lane 0 alone uses the sum, of lanes that have read before higher ones write: software adapters run threads in order",
  },
  {
    places: /^cachedAttention: laneSum, barrier: after let all/,
    why: "the barriers of the shares come before the next maximum",
  },
  {
    places: /laneSum, barrier: after let all/,
    why: "it is the kernel's only sum: nothing is written there after it",
  },
  {
    places: /^cachedAttention: barrier: after acc\[c\] = a/,
    why: "the barriers of the next maximum come before the shares are written again",
  },
  {
    places: /^matmul ..: barrier: after c# \+= sa/,
    why: "the first team has added before the next one writes: software adapters run threads in order",
  },
  {
    places: /bound: min\(asked, d\.\w+ - #u\)/,
    why: "what idle lanes read is not used, and no device reads past a binding",
  },
  {
    places: /(guard: if \(!live\)|live: asked <)/,
    why: "idle lanes, where there are any, repeat the last item and write its numbers once more",
  },
  {
    places: /^embedGrad.*guard: if \(i >=/,
    why: "a thread past the end finds a range without rows",
  },
  {
    places: /^embedGrad.*guard: if \(at >=/,
    why: "adds nothing, to a row that another thread adds to: a race that threads in order do not show",
  },
  {
    places: /^matmul.*rows_[abw], (guard|condition)/,
    why: "past K the other operand is zeros, past M and N the sums are not stored",
  },
  {
    places: /^matmul.*guard: if \(m# >= d\.M/,
    why: "no workgroup is past the last row before there are 32768",
  },
  {
    places: /^matmul.*one thread: store, bound: min\(n, d\.N\)/,
    why: "tiles of this kernel begin before N",
  },
  {
    places: /^attention.*guard: if \(h >=/,
    why: "no workgroup is past the last head before there are 32768",
  },
  {
    places: /^attention.*condition: if \(row# \+/,
    why: "rows past the end repeat the last one and write its numbers once more",
  },
  {
    places: /^attention.*bound: min\((row|base|tile)/,
    why: "rows past the end are in no thread's range and are not written",
  },
  {
    places: /^attention.*choice: select\(m#/,
    why: "a softmax is the same whatever is taken off, as long as exp() stays in range",
  },
  {
    places: /^rope.*bound: max\((h|cached),/,
    why: "used only where a key or value goes into the cache",
  },
  {
    places: /^cachedAttention.*(condition: if \(j < seen|choice: select\(#\.#, exp)/,
    why: "either of the two leaves out the keys that are not seen",
  },
  {
    places: /^cachedAttention.*(condition: if \(i <|bound: min\(c \*)/,
    why: "columns past the head's last are not stored",
  },
  {
    places: /^cachedAttention.*bound: max\(cached,/,
    why: "a row that is not cached sees no keys",
  },
  {
    places: /^gatherRows.*condition: if \(row >=/,
    why: "rows that are gathered are all there: the text is that of scatterRows",
  },
  {
    places: /^sumSquares: laneMax, barrier: after lanesOf/,
    why: "a NaN makes the sum NaN by itself on software adapters; the question is for fast maths",
  },
  {
    places: /^sample: runBefore, barrier: after shares/,
    why: "reads lower lanes alone, which software adapters run first",
  },
  {
    places: /^sample: runFirst, barrier: after all/,
    why: "lane 0 alone uses the id, and software adapters run it first",
  },
  {
    places: /^sample.*bound: min\((lane|low)/,
    why: "a run past the last id is empty, and the only lane's ends there, either way",
  },
  {
    places: /^sample.*bound: max\((each|tied),/,
    why: "the token at the cut has a weight, and is tied with itself at least",
  },
  {
    places: /^sample, one thread: condition: if \(left >=/,
    why: "the only lane has all of the mass",
  },
  {
    places: /^adamw.*guard: if \(i >=/,
    why: "idle threads write into the arrays' own padding: both are multiples of 64",
  },
];

/** Null: there is no reason to. */
export const whyUnnoticed = (place: string): string | null =>
  UNNOTICED.find(({ places }) => places.test(place))?.why ?? null;
