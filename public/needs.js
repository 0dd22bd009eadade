// What the page needs, said where it is missing. A classic script in old JavaScript: it must run where the page cannot.
(function () {
  var file =
    "Turnbook cannot run from a file. Serve its folder with a web server (for example: python3 -m http.server) and open that address.";
  var frame =
    "This frame forbids Turnbook the workers and the storage that it needs. Open it in a window of its own, or add allow-same-origin to the frame's sandbox, or have the frame show embed.html of the same site.";
  var old =
    "Turnbook needs a newer browser: one that supports JavaScript modules.";
  var lost =
    "Turnbook's program did not load. Check the connection, then reload the page.";
  var wasm =
    "Training needs WebAssembly, and this browser has none or has it switched off. Recorded runs can be read without it.";
  var worker =
    "Training needs web workers, and this browser has none or has them switched off. Recorded runs can be read without them.";

  function say(sentence, whole) {
    var first = document.getElementById("frame");
    if (whole && first) first.parentNode.removeChild(first);
    var box = document.createElement("div");
    box.id = "needs";
    box.className = "notice notice-problem";
    box.setAttribute("role", "alert");
    box.textContent = sentence;
    box.style.margin = "1rem";
    if (whole) {
      // There are no style sheets then.
      box.style.maxWidth = "40rem";
      box.style.margin = "3rem auto";
      box.style.padding = "0 1rem";
      box.style.font = "1.1rem/1.5 system-ui, sans-serif";
    }
    document.body.insertBefore(box, document.body.firstChild);
  }

  function whyNot() {
    if (location.protocol === "file:") return file;
    if (window.origin === "null") return frame;
    if (!("noModule" in document.createElement("script"))) return old;
    return lost;
  }

  function check() {
    // The page marks that it has started; its modules run before everything has loaded.
    if (document.documentElement.getAttribute("data-started") === null) say(whyNot(), true);
    else if (typeof WebAssembly !== "object") say(wasm, false);
    else if (typeof Worker !== "function") say(worker, false);
  }

  window.addEventListener("turnbook:lost", function () {
    say(lost, true);
  });
  if (document.readyState === "complete") check();
  else window.addEventListener("load", check);
})();
