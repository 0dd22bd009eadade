/** The styles of every page, in overriding order; those of panels come after, each from its folder. */
import "./fonts.css";
import "./theme.css";
import "./shell.css";
import "./app.css";
import "./experiment.css";
import "./charts.css";
import "./panels.css";
import "./machine.css";
import "./shop.css";
import "./lens.css";
import "./import.css";
import "./book.css";
import "./shared.css";
import "./print.css";
