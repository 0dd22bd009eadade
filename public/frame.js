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
  // The build has it from src/app/route.ts.
  if (new RegExp(document.currentScript.getAttribute("data-frameless")).test(location.hash))
    root.setAttribute("data-frame", "bare");
  // As src/app/present/Embed.tsx reads it.
  if (/[?&]embed(=|&|$)/.test(location.search)) root.setAttribute("data-frame", "none");

  // A lesson's first step is a file of its own (src/app/build/frame.ts). Kept once that is painted, or is not to come.
  var lesson = /^#lesson\/([\w-]{1,40})$/.exec(location.hash);
  if (lesson && location.search === "" && window.fetch)
    window.turnbookLesson = fetch("lessons/" + lesson[1] + ".html")
      .then(function (answer) {
        return answer.ok ? answer.text() : "";
      })
      .then(inFrame)
      .then(isPainted, function () {});

  function inFrame(html) {
    return new Promise(function (resolve) {
      (function look() {
        var main = document.querySelector("#frame main");
        var bar = document.querySelector("#frame .run-bar");
        if (main && bar) resolve(show(main, bar, html));
        else if (document.readyState === "loading") setTimeout(look, 10);
        else resolve(); // the page is there already
      })();
    });
  }

  function show(main, bar, html) {
    if (html.indexOf('<article class="notebook lesson"') !== 0) return;
    main.innerHTML = html;
    try {
      // As src/app/lesson/place.ts keeps it: the reader was at another step.
      var title = main.firstChild.getAttribute("data-lesson");
      if (Number(sessionStorage.getItem("turnbook-lesson:" + title))) return void (main.innerHTML = "");
    } catch (e) {
      // Storage is forbidden: every visit begins at the first step.
    }
    // A first step has no experiment, so that the page will have no bar.
    bar.remove();
    root.setAttribute("data-frame", "lesson");
  }

  function isPainted() {
    return new Promise(function (resolve) {
      requestAnimationFrame(function () {
        setTimeout(resolve);
      });
    });
  }
})();
