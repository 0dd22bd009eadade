/** A choice in a panel that is stored in the address, so that a link shows others the same. */
import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import { useExperiment } from "../../store/hooks.ts";
import { setLens } from "../../store/lens.ts";
import type { Setting, SettingTable, SettingValue } from "../../store/lensCodecs.ts";
import { settingIn, withSetting } from "../../store/lensSettings.ts";
import type { Manifest } from "../../figures/manifest.ts";

/** Like useState; options and default are in the panel's manifest. */
export function usePanelSetting<S extends SettingTable, K extends keyof S & string>(
  { id, settings }: Manifest<string, S>,
  key: K,
): [value: SettingValue<S[K]>, set: (value: SettingValue<S[K]>) => void] {
  const { store } = useExperiment();
  const setting = settings[key] as Setting<SettingValue<S[K]>>;
  const name = `${id}:${key}`;
  const text = useStore(store, ({ lens }) => lens.settings[name]);
  const value = useMemo(
    () => settingIn(text === undefined ? {} : { [name]: text }, name, setting),
    [text, name, setting],
  );
  const set = useCallback(
    (next: SettingValue<S[K]>) =>
      setLens(store, (lens) => ({
        ...lens,
        settings: withSetting(lens.settings, name, setting, next),
      })),
    [store, name, setting],
  );
  return [value, set];
}
