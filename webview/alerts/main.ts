import "../shared/start";
import "../shared/base.css";
import "./alerts.css";
import { AlertsPanel } from "./panel";

const root = document.getElementById("app");
if (root) new AlertsPanel(root);
