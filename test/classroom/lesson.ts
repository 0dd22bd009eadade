/** The class that is tried: a short experiment with two methods. */

/** Desks. */
export const SEATS = 30;
/** Seed of desk 0. */
const SEED = 700;

/** Two iterations of nano on few boards. @param more lines of the experiment that replace or add. */
export function classText(more: Readonly<Record<string, string>> = {}): string {
  const fields = {
    preset: "nano",
    seed: String(SEED),
    algorithms: "grpo,turn-ppo",
    "optimisation.iterations": "2",
    "optimisation.tasksPerIteration": "2",
    "optimisation.groupSize": "4",
    "optimisation.minibatch": "8",
    "evaluation.levels": "16",
    "evaluation.every": "1",
    ...more,
  };
  const lines = Object.entries(fields).map(([name, text]) => `${name}: ${text}`);
  return `# A class of thirty

\`\`\`experiment id=first fold
${lines.join("\n")}
\`\`\`

\`\`\`class id=class of=first
question: Which method will solve more boards?
options: [GRPO, Turn-PPO, no difference]
seats: ${SEATS}
\`\`\`
`;
}
