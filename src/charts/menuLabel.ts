/** The button for a figure's numbers; in its own file, since the first screen has it and no other word of charts. */
export const menuLabel = (title: string) => `Save or copy ${title}`;
