// @ts-check
// Starts the page: the sign-in code leaves the address first, then the page is drawn.

import { html, render } from "htm/preact";
import { before } from "./live/channel.js";
import { codeOfLink, onCode } from "./live/code.js";
import { place } from "./live/place.js";
import { leave, start } from "./live/store.js";
import { followViewport } from "./live/viewport.js";
import { App } from "./view/app.js";
import { guardPresses } from "./view/press.js";

const root = document.getElementById("app");
guardPresses();
if (root) render(html`<${App} />`, root);
followViewport();
// a link that is opened here is for this device, whoever was signed in
if (codeOfLink()) leave(null);
else void start(place().room, before());
onCode(() => leave(null));
