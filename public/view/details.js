// @ts-check
// What the asker says about it: sanitised Markdown, a diff as a diff, shown whole.
import { html } from "htm/preact";
import { Prose } from "../words/markdown.js";
import { Diff, looksLikeDiff } from "./diff.js";

/** @param {{text: string}} props */
export const Details = ({ text }) =>
  looksLikeDiff(text) && !text.includes("```")
    ? html`<div class="action"><${Diff} text=${text} /></div>`
    : html`<${Prose} text=${text} whole class="gate-text" />`;
