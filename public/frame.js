// Before the first paint: the theme, and whether the address shows the notebook. A classic script in old JavaScript, as needs.js is.
(function () {
  var root = document.documentElement;
  var theme = null;
  try {
    // As src/store/preferences.ts keeps it.
    theme = JSON.parse(localStorage.getItem("turnbook.preferences.v1")).theme;
  } catch (e) {
    // Nothing kept, or storage is forbidden.
  }
  if (theme !== "light" && theme !== "dark")
    theme = window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.setAttribute("data-theme", theme);
  // As src/app/route.ts reads it.
  if (/^#(machine|shop|algorithms|glossary|notebooks|book|lesson|text|url=|gh:)|[?&]view=lens(&|$)/.test(location.hash))
    root.setAttribute("data-frame", "bare");
  // As src/app/present/Embed.tsx reads it.
  if (/[?&]embed(=|&|$)/.test(location.search)) root.setAttribute("data-frame", "none");
})();
