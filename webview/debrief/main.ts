import "../shared/start";
import "../shared/base.css";
import "./debrief.css";
import { DebriefPanel } from "./panel";

const root = document.getElementById("app");
if (root) new DebriefPanel(root);
