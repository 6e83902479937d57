// @ts-check
// Facts from before the snapshot, asked for as the reader comes near them; one page of them for each choice of chip
// and words.
/** @import { App, Fact, Page } from "../types.d.ts" */
import { kindOf } from "../words/facts.js";
import { ask, change, state } from "./store.js";

const many = 200;
/** @type {Page} */
const empty = { facts: [], next: null, state: "idle" };

/** @param {string} room @param {string} kind @param {string} text */
export const pageKey = (room, kind, text) => `${room}\n${kind}\n${text}`;

/** @param {Fact} fact @param {string} kind @param {string} text */
const fits = (fact, kind, text) =>
  (!kind || kindOf(fact) === kind) &&
  (!text ||
    `${fact.text ?? ""} ${fact.title ?? ""} ${fact.member ?? ""} ${fact.action} ${fact.subject}`
      .toLowerCase()
      .includes(text.toLowerCase()));

/**
 * Everything known that fits, ascending: the room's own facts and the pages loaded above them.
 * @param {Fact[]} facts @param {Page | undefined} all @param {Page | undefined} own @param {string} kind @param {string} text
 */
export function factsOf(facts, all, own, kind, text) {
  const known = all?.facts.length ? [...all.facts, ...facts] : facts;
  if (!kind && !text) return known;
  const fitting = known.filter((fact) => fits(fact, kind, text));
  if (!own?.facts.length) return fitting;
  const first = known[0]?.seq ?? Number.POSITIVE_INFINITY;
  return [...own.facts.filter((fact) => fact.seq < first), ...fitting];
}

/** @param {string} key @param {Partial<Page>} part */
const turn = (key, part) =>
  change((app) => ({ ...app, pages: { ...app.pages, [key]: { ...(app.pages[key] ?? empty), ...part } } }));

/** @param {App} app @param {string} room @param {string} key */
function before(app, room, key) {
  const own = app.pages[key];
  if (own?.next) return own.next;
  const all = app.pages[pageKey(room, "", "")];
  return all?.next || (all?.facts[0]?.seq ?? app.data[room]?.facts[0]?.seq);
}

/** Loads the page above, unless there is none or it is on its way. @param {string} room @param {string} kind @param {string} text */
export async function loadOlder(room, kind, text) {
  const key = pageKey(room, kind, text);
  const app = state();
  const page = app.pages[key] ?? empty;
  const from = before(app, room, key);
  if (page.state !== "idle" || app.link.state !== "live" || !from || from <= 1 || isWhole(page)) return;
  turn(key, { state: "loading" });
  try {
    const result = await ask("list_facts", {
      room,
      before: from,
      limit: many,
      ...(kind && { kinds: [kind] }),
      ...(text && { text }),
    });
    /** @type {Fact[]} */
    const facts = [...result.facts].sort((a, b) => a.seq - b.seq);
    const had = state().pages[key]?.facts ?? [];
    const first = had[0]?.seq ?? Number.POSITIVE_INFINITY;
    const more = facts.filter((fact) => fact.seq < first);
    turn(key, { facts: [...more, ...had], next: result.next ?? 0, state: "idle" });
  } catch {
    turn(key, { state: "failed" });
    setTimeout(() => turn(key, { state: "idle" }), 3000);
  }
}

/** There is nothing above it. @param {Page | undefined} page */
export const isWhole = (page) => page?.next === 0;
