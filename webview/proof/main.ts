import "../shared/start";
import "../shared/base.css";
import "./proof.css";
import { ProofPanel } from "./panel";

const root = document.getElementById("app");
if (root) new ProofPanel(root);
