import "../shared/start";
import "../shared/base.css";
import "./truth-form.css";
import { registerControls } from "../toolkit";
import { TruthForm } from "./panel";

const root = document.getElementById("app");
if (root) new TruthForm(root);
registerControls();
