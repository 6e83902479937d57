// @ts-check
// Others' Markdown as inert nodes: marked only cuts it into tokens, Preact draws them. No HTML, no image is loaded,
// every link shows its host, and nothing that was written is left out.
/** @import { Token, Tokens } from "marked" */
import { html } from "htm/preact";
import { lexer } from "marked";
import { useState } from "preact/hooks";
import { Diff, looksLikeDiff } from "../view/diff.js";
import { cut, marked } from "./marks.js";

/** @param {string} href */
function target(href) {
  try {
    const url = new URL(href);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** @param {{href: string, children?: any, plain: string}} props */
function Link({ href, children, plain }) {
  const url = target(href);
  if (!url) return html`${children} <span class="host">(${marked(href)})</span>`;
  const place = url.protocol === "mailto:" ? url.pathname : url.host;
  return html`<a href=${url.href} title=${url.href} target="_blank" rel="noopener noreferrer nofollow">${children}</a
    >${plain.includes(place) ? null : html` <span class="host">(${marked(place)})</span>`}`;
}

const name = /(^|[^\p{L}\p{N}_@])@([\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?)/gu;

/** Text with its @names told apart. @param {string} text */
function words(text) {
  /** @type {unknown[]} */
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(name)) {
    const start = found.index + (found[1]?.length ?? 0);
    parts.push(
      marked(text.slice(from, start)),
      html`<b class="at">${marked(text.slice(start, found.index + found[0].length))}</b>`,
    );
    from = found.index + found[0].length;
  }
  parts.push(marked(text.slice(from)));
  return parts;
}

/** @param {Token[] | undefined} tokens @returns {any} */
const inline = (tokens) => tokens?.map(oneInline);

/** @param {Token} token @returns {any} */
function oneInline(token) {
  switch (token.type) {
    case "strong":
      return html`<strong>${inline(token.tokens)}</strong>`;
    case "em":
      return html`<em>${inline(token.tokens)}</em>`;
    case "del":
      return html`<del>${inline(token.tokens)}</del>`;
    case "codespan":
      return html`<code>${marked(token.text, { code: true })}</code>`;
    case "br":
      return html`<br />`;
    case "link":
      return html`<${Link} href=${token.href} plain=${token.text}>${inline(token.tokens)}<//>`;
    case "image":
      return html`<${Link} href=${token.href} plain="">Picture${token.text ? ": " : ""}${marked(token.text)}<//>`;
    case "escape":
      return words(token.text);
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "text":
      return token.tokens ? inline(token.tokens) : words(token.text);
    default:
      return marked(token.raw);
  }
}

/** @param {Tokens.Table} table */
const Table = (table) => html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
  <thead><tr>${table.header.map((cell) => html`<th dir="auto">${inline(cell.tokens)}</th>`)}</tr></thead>
  <tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td dir="auto">${inline(cell.tokens)}</td>`)}</tr>`)}</tbody>
</table></div>`;

/** @param {Token} token @returns {any} */
function block(token) {
  switch (token.type) {
    case "space":
      return null;
    case "heading":
      return html`<p class="heading" dir="auto"><strong>${inline(token.tokens)}</strong></p>`;
    case "paragraph":
      return html`<p dir="auto">${inline(token.tokens)}</p>`;
    case "text":
      return html`<span dir="auto">${oneInline(token)}</span>`;
    case "code":
      return looksLikeDiff(token.text, token.lang)
        ? html`<div class="action"><${Diff} text=${token.text} /></div>`
        : html`<pre class="code" dir="ltr" tabindex="0">${marked(token.text, { code: true })}</pre>`;
    case "blockquote":
      return html`<blockquote dir="auto">${token.tokens?.map(block)}</blockquote>`;
    case "list":
      return token.ordered
        ? html`<ol class="list" start=${token.start}>${token.items.map(block)}</ol>`
        : html`<ul class="list">${token.items.map(block)}</ul>`;
    case "list_item":
      return html`<li dir="auto">${token.tokens?.map(block)}</li>`;
    case "checkbox":
      return oneInline(token);
    case "table":
      return Table(/** @type {Tokens.Table} */ (token));
    case "hr":
      return html`<hr />`;
    default:
      return html`<p dir="auto">${marked(token.raw)}</p>`;
  }
}

/** @param {string} text @returns {any} */
const prose = (text) => lexer(text, { gfm: true, breaks: true }).map(block);

/**
 * A text of somebody. Long ones are cut between characters until all is asked for; `whole` never cuts.
 * @param {{text: string, whole?: boolean, most?: number, class?: string}} props
 */
export function Prose({ text, whole = false, most = 1200, class: css = "" }) {
  const [all, showAll] = useState(whole);
  const shown = all ? text : cut(text, most);
  return html`<div class=${`prose ${css}`}>${prose(shown)}${
    shown.length < text.length &&
    html`<button class="btn quiet sm" onClick=${() => showAll(true)}>Show all ${text.length.toLocaleString("en-GB")} characters</button>`
  }</div>`;
}
