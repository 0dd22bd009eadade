// Before the first paint: the theme, and whether the address shows the notebook. A classic script in old JavaScript, as needs.js is.
(function () {
  // The build has addresses and keys from src/app/first/beforePaint.ts.
  var known = JSON.parse(document.currentScript.getAttribute("data-known"));
  var root = document.documentElement;
  var theme = null;
  try {
    theme = JSON.parse(localStorage.getItem(known.preferences)).theme;
  } catch (e) {
    // Nothing kept, or storage is forbidden.
  }
  if (theme !== "light" && theme !== "dark")
    theme = window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.setAttribute("data-theme", theme);
  if (new RegExp(known.frameless).test(location.hash)) root.setAttribute("data-frame", "bare");
  if (new RegExp(known.embedded).test(location.search)) root.setAttribute("data-frame", "none");

  // A lesson's first step is a file of its own (src/app/build/frame.ts). Kept once that is painted, or is not to come.
  var lesson = new RegExp(known.lesson).exec(location.hash);
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
      // The reader was at another step.
      var title = main.firstChild.getAttribute("data-lesson");
      if (Number(sessionStorage.getItem(known.step + title))) return void (main.innerHTML = "");
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
