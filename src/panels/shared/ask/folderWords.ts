/** UI texts around a model folder of the reader's own. */
export const words = {
  folder: "Model folder",
  choose: "Choose a folder …",
  another: "Choose another folder …",
  train: {
    here: (name: string) => `Trains the model folder ${name}, which is open here.`,
    needed: (name: string, hash: string) =>
      `This experiment trains the model folder ${name} (hash ${hash} …). Choose it to run.`,
  },
  ask: {
    here: (name: string) => `Answers come from the model folder ${name}, which is open here.`,
    needed: (name: string, hash: string) =>
      `This run's models belong to the model folder ${name} (hash ${hash} …). Choose it to ask them.`,
  },
} as const;
