// @ts-check
/** @import { Fact } from "../types.d.ts" */
import { html } from "htm/preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { serverNow } from "../live/clock.js";
import { factsOf, isWhole, loadOlder, pageKey } from "../live/older.js";
import { useApp } from "../live/store.js";
import { dayLabel, dayOf } from "../words/time.js";
import { Icon } from "./icons.js";
import { Item } from "./item.js";
import { Log } from "./log.js";
import { Say } from "./say.js";
import { ViewTabs } from "./tabs.js";

const chips = [
  ["", "All", ""],
  ["floor", "Floor", "i-speak"],
  ["message", "Messages", "i-msg"],
  ["task", "Tasks", "i-task"],
  ["gate", "Gates", "k-approval"],
  ["member", "Members", "i-people"],
];

/** @typedef {{day: string, at: string} | {fact: Fact}} Row */

const untold = new Set([
  "floor.acknowledged",
  "floor.addressed",
  "floor.arrived",
  "gate.acknowledged",
  "gate.delivered",
  "gate.seen",
  "gate.snoozed",
]);

/** Facts that say nothing to a person who reads along are left out. @param {Fact} fact */
const told = (fact) => !untold.has(fact.action) && !(fact.action === "task.updated" && fact.member === null);

/** @param {Fact[]} facts @returns {Row[]} */
function rowsOf(facts) {
  /** @type {Row[]} */
  const rows = [];
  let day = "";
  for (const fact of facts) {
    if (!told(fact)) continue;
    const its = dayOf(fact.at);
    if (its !== day) rows.push({ day: its, at: fact.at });
    day = its;
    rows.push({ fact });
  }
  return rows;
}

/** @param {Row} row */
const keyOf = (row) => ("fact" in row ? `${row.fact.seq}` : `day ${row.day}`);

/** @param {Row} row */
function guess(row) {
  if (!("fact" in row)) return 34;
  const { text } = row.fact;
  return text && row.fact.action !== "task.created" ? 44 + Math.ceil(text.length / 60) * 22 : 32;
}

/** @param {{words: string, onWords: (words: string) => void}} props */
function Find({ words, onWords }) {
  const [open, setOpen] = useState(Boolean(words));
  if (!open) {
    return html`<button class="icon-btn" aria-label="Search the stream" title="Search" onClick=${() => setOpen(true)}><${Icon} name="i-search" /></button>`;
  }
  const leave = () => {
    onWords("");
    setOpen(false);
  };
  return html`<span class="search"><input class="field" type="search" aria-label="Search the stream" placeholder="Search" value=${words}
    ref=${(/** @type {HTMLElement | null} */ field) => !words && field?.focus()}
    onInput=${(/** @type {any} */ e) => onWords(e.target.value)}
    onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === "Escape" && leave()} />
    <button class="icon-btn" aria-label="Leave search" onClick=${leave}><${Icon} name="i-x" /></button></span>`;
}

export function Stream() {
  const room = useApp((app) => app.room) ?? "";
  const data = useApp((app) => app.data[room]);
  const me = useApp((app) => app.me?.member);
  const live = useApp((app) => app.link.state === "live");
  const [kind, setKind] = useState("");
  const [words, setWords] = useState("");
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setText(words.trim()), 250);
    return () => clearTimeout(timer);
  }, [words]);
  const all = useApp((app) => app.pages[pageKey(room, "", "")]);
  const own = useApp((app) => app.pages[pageKey(room, kind, text)]);
  const facts = data?.facts;
  const rows = useMemo(() => rowsOf(factsOf(facts ?? [], all, own, kind, text)), [facts, all, own, kind, text]);
  const onTop = useCallback(() => {
    if (room) void loadOlder(room, kind, text);
  }, [room, kind, text, live, own?.state]);

  const draw = useCallback(
    (/** @type {Row} */ row) =>
      "fact" in row
        ? html`<${Item} fact=${row.fact} room=${data} me=${me} />`
        : html`<p class="day">${dayLabel(row.at, serverNow())}</p>`,
    [data, me],
  );

  return html`<section class="pane stream" aria-labelledby="h-stream">
    <h2 class="vh" id="h-stream">Stream</h2>
    <div class="view-head"><${ViewTabs} />
      <div class="chips run filters" role="group" aria-label="Show">${chips.map(
        ([value, label, icon]) =>
          html`<button class="chip" aria-pressed=${kind === value} onClick=${() => setKind(value ?? "")}>${
            icon && html`<${Icon} name=${icon} />`
          }${label}</button>`,
      )}</div>
      <${Find} words=${words} onWords=${setWords} />
    </div>
    ${
      rows.length
        ? html`<${Log} key=${`${room} ${kind} ${text}`} rows=${rows} keyOf=${keyOf} guess=${guess} draw=${draw}
            headOf=${(/** @type {Row} */ row) => dayLabel("fact" in row ? row.fact.at : row.at, serverNow())}
            steady=${(/** @type {Row} */ row) => "fact" in row} onTop=${onTop} below=${(/** @type {number} */ count) => html`<${Icon} name="i-arrow" />${count} new below`}
            top=${own?.state === "loading" ? html`<p class="older" role="status"><${Icon} name="i-spin" class="spin" />Older</p>` : null} />`
        : html`<${Nothing} loading=${!data || own?.state === "loading"} narrowed=${Boolean(kind || text)} onTop=${onTop} whole=${isWhole(own)} />`
    }
    <${Say} class="wide" id="say-stream" />
  </section>`;
}

/** @param {{loading: boolean, narrowed: boolean, whole: boolean, onTop: () => void}} props */
function Nothing({ loading, narrowed, whole, onTop }) {
  useEffect(() => {
    if (narrowed && !whole) onTop();
  }, [narrowed, whole, onTop]);
  const words = narrowed ? "Nothing like that happened here." : "Nothing has happened here yet.";
  return html`<div class="log-wrap"><p class="nothing muted" role="status">${
    loading ? html`<${Icon} name="i-spin" class="spin" label="Loading" />` : words
  }</p></div>`;
}
