/** Choices in a panel that are stored in the address, so that a link shows others the same. */
import { useCallback, useMemo } from "react";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import type { ChosenOptions } from "../../figures/choices.ts";
import type { Manifest } from "../../figures/manifest.ts";
import { setLens } from "../../store/lens.ts";
import type { SettingTable, SettingValue } from "../../store/lensCodecs.ts";
import { settingIn, withSetting } from "../../store/lensSettings.ts";

type PanelValues<S extends SettingTable> = { readonly [K in keyof S]: SettingValue<S[K]> };

/** By name; `choose` sets them by their texts, and leaves out other names. */
export function usePanelSettings<S extends SettingTable>({
  id,
  settings,
}: Manifest<string, S>): [values: PanelValues<S>, choose: (texts: ChosenOptions) => void] {
  const { store } = useExperiment();
  const said = useExperimentState(({ lens }) => lens.settings);
  const values = useMemo(() => {
    const all = Object.entries(settings);
    const named = all.map(([key, one]) => [key, settingIn(said, `${id}:${key}`, one)]);
    return Object.fromEntries(named) as PanelValues<S>;
  }, [id, settings, said]);
  const choose = useCallback(
    (texts: ChosenOptions) => {
      const known = Object.entries(texts).filter(([key]) => settings[key]);
      if (known.length === 0) return;
      setLens(store, (lens) => ({
        ...lens,
        settings: known.reduce((now, [key, text]) => {
          const setting = settings[key]!;
          return withSetting(now, `${id}:${key}`, setting, setting.read(text) ?? setting.start);
        }, lens.settings),
      }));
    },
    [store, id, settings],
  );
  return [values, choose];
}
