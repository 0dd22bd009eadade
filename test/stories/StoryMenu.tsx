/** Which story, panel and look; a plain form, whose fields are the address. */
import { lensPanels } from "../../src/panels/panelTable.ts";
import { THEMES, WIDTHS, writeAddress, type Address } from "./address.ts";
import { stories } from "./recordings.ts";

interface MenuProps {
  address: Address;
}

export function StoryMenu({ address: { story, panel, theme, width } }: MenuProps) {
  const titles = Object.entries(stories).map(([name, { title }]) => [name, title] as const);
  const panels = lensPanels.map(({ id, title }) => [id, title] as const);
  return (
    <header className="story-menu">
      <form method="get" aria-label="Stories">
        <Choice name="story" title="Story" value={story} options={titles} />
        <Choice name="panel" title="Panel" value={panel} options={[["", "all"], ...panels]} />
        <Choice
          {...{ name: "theme", title: "Theme", value: theme }}
          options={[["", "as the system says"], ...THEMES.map((one) => [one, one] as const)]}
        />
        <Choice
          {...{ name: "width", title: "Width", value: width === null ? null : `${width}` }}
          options={[["", "the window’s"], ...WIDTHS.map((px) => [`${px}`, `${px} px`] as const)]}
        />
        <button type="submit">Show</button>
        <a href="?parts">Parts</a>
      </form>
    </header>
  );
}

interface ChoiceProps {
  name: string;
  title: string;
  value: string | null;
  /** Values and what they are called. */
  options: readonly (readonly [string, string])[];
}

function Choice({ name, title, value, options }: ChoiceProps) {
  return (
    <label className="inline-field">
      {title}
      <select name={name} defaultValue={value ?? ""}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The story in a window of its own width: what depends on the width asks the window. */
export function Frame({ address }: MenuProps) {
  const inside = writeAddress({ ...address, width: null });
  return <iframe className="story-frame" title="The story" src={inside} width={address.width!} />;
}
