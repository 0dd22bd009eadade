/** Style rules for marked elements. A <style> element would need a looser content security policy. */
import { useInsertionEffect } from "react";

export function useStyleText(css: string): void {
  useInsertionEffect(() => {
    if (css === "") return undefined;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [css]);
}
