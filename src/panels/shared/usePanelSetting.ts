/** A choice in a panel that the address keeps, so that a link shows others the same. */
import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import { useExperiment } from "../../store/hooks.ts";
import { setLens } from "../../store/lens.ts";
import {
  settingIn,
  withSetting,
  type SettingKey,
  type SettingsPanel,
  type SettingValue,
} from "../../store/lensSettings.ts";

/** As useState; what there is to choose, and what holds at first, is in the table of `lensSettings`. */
export function usePanelSetting<P extends SettingsPanel, K extends SettingKey<P>>(
  panel: P,
  key: K,
): [value: SettingValue<P, K>, set: (value: SettingValue<P, K>) => void] {
  const { store } = useExperiment();
  const text = useStore(store, ({ lens }) => lens.settings[`${panel}:${key}`]);
  const value = useMemo(() => settingIn(text, panel, key), [text, panel, key]);
  const set = useCallback(
    (next: SettingValue<P, K>) =>
      setLens(store, (lens) => ({
        ...lens,
        settings: withSetting(lens.settings, panel, key, next),
      })),
    [store, panel, key],
  );
  return [value, set];
}
