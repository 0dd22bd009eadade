/** The settings of how a run learns: critic, sampling, optimisation; and which of them a method may have separately. */
import { real, whole, z } from "./zod.ts";

export const criticSchema = z.strictObject({
  kind: z.enum(["head-detached", "head-shared", "separate"]),
  lr: real(0, 1),
  /** Weight of the value loss relative to the policy loss; matters if both train the same trunk (head-shared). */
  coef: real(0, 100),
  /** Initial iterations in which only the critic learns. */
  warmup: whole(0, 1000),
  /** Passes of the critic over each iteration's episodes, beyond the actor's own epochs if larger. */
  epochs: whole(1, 100),
  /**
   * Shape of a separate critic, whose weights are then initialised randomly; other kinds ignore it.
   * Absent: the actor's shape and initial weights.
   */
  size: z.optional(z.enum(["nano", "micro"])),
});

export const sampling = z.strictObject({
  temperature: real(0.01, 10),
  topK: whole(0, 1_000_000),
  topP: real(0.01, 1),
  maxTokensPerTurn: whole(1, 4096),
  /**
   * How keys and values of decoding are kept: float16 takes half the memory, on WebGPU alone, and moves the sampler's log-probs.
   * Absent: float32.
   */
  kvCache: z.optional(z.enum(["float16"])),
});

export const optimisation = z.strictObject({
  iterations: whole(1, 1_000_000),
  /** Tasks per iteration B_R of a method that plays groups; see grouping. */
  tasksPerIteration: whole(1, 4096),
  /** Group size G. */
  groupSize: whole(1, 1024),
  /** Trajectories per optimiser step B_M. */
  minibatch: whole(1, 65_536),
  /** Epochs E over an iteration's episodes. */
  epochs: whole(1, 100),
  actorLr: real(0, 1),
  /**
   * Initial iterations of the actor at a lower rate, rising linearly to actorLr, while AdamW's
   * moments are cold. Specs older than this field mean 0.
   */
  actorLrWarmup: z._default(whole(0, 1000), 0),
  weightDecay: real(0, 1),
  /** Global gradient-norm limit. */
  maxGradNorm: real(0, 1e6),
  entropyCoef: real(0, 10),
  /** Factor of rewards before credit; panels show unscaled ones. */
  rewardScale: real(1e-6, 1e6),
  /** Whether a truncated episode continues with V of its last state instead of 0. */
  bootstrapOnTruncation: z.boolean(),
  /**
   * Which methods play a task several times. each-own: methods that compare groups; the others take
   * B_R x G tasks once each. all: every method plays the same B_R tasks G times, and whole groups
   * are recorded. Absent: each-own.
   */
  grouping: z.optional(z.enum(["each-own", "all"])),
  /**
   * Name of the definition that sets the boundaries of turns for credit and updates. Absent: the
   * environment's turns.
   */
  segmentation: z.optional(z.string()),
});

/** What a method may have separately: how it learns and samples, but not what it plays nor its reward units. */
export const methodSettings = z.strictObject({
  optimisation: z.optional(
    z.partial(
      z.extend(
        z.pick(optimisation, {
          minibatch: true,
          epochs: true,
          actorLr: true,
          weightDecay: true,
          maxGradNorm: true,
          entropyCoef: true,
          segmentation: true,
        }),
        { actorLrWarmup: whole(0, 1000) },
      ),
    ),
  ),
  critic: z.optional(z.partial(criticSchema)),
  sampling: z.optional(z.partial(z.omit(sampling, { maxTokensPerTurn: true, kvCache: true }))),
});

export type OwnSettings = z.infer<typeof methodSettings>;
