import "../shared/start";
import "../shared/base.css";
import "./alerts.css";
import { registerControls } from "../shared/toolkit";
import { AlertsPanel } from "./panel";

const root = document.getElementById("app");
if (root) new AlertsPanel(root);
registerControls();
