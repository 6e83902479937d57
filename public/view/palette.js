// @ts-check
// Ctrl K: finds what waits, rooms, tasks, members and acts. It opens gates and never answers one.
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { go } from "../live/place.js";
import { showRoom, state } from "../live/store.js";
import { marked } from "../words/marks.js";
import { byUrgency, kindWord, stateOfGate } from "../words/needs.js";
import { Dialog } from "./dialog.js";
import { Icon, StateMark } from "./icons.js";

/** @typedef {{group: string, icon: any, text: string, hint?: string, act: () => void}} Entry */

/** @param {{newTask: () => void, openFloor: () => void, stop: () => void}} acts @returns {Entry[]} */
function entries({ newTask, openFloor, stop }) {
  const app = state();
  const room = app.room ? app.data[app.room] : undefined;
  const gates = Object.values(room?.gates ?? {})
    .filter((one) => one.status === "pending")
    .sort(byUrgency);
  const icon = (/** @type {string} */ name) => html`<${Icon} name=${name} />`;
  return [
    ...gates.map((gate) => ({
      group: "Waits for you",
      icon: html`<span class=${`is-${stateOfGate(gate)}`}>${icon(`k-${gate.kind}`)}</span>`,
      text: `Open: ${gate.title}`,
      hint: kindWord(gate.kind),
      act: () => go({ gate: gate.id, sheet: true }),
    })),
    { group: "Do", icon: icon("i-plus"), text: "New task", act: newTask },
    { group: "Do", icon: icon("i-floor"), text: "Open a floor, or change its seats", act: openFloor },
    { group: "Do", icon: icon("i-people"), text: "Connect an agent", act: () => go({ view: "connect" }) },
    { group: "Do", icon: icon("i-stop"), text: "Stop all agents …", act: stop },
    { group: "Go to", icon: icon("i-stream"), text: "Stream", act: () => go({ view: "stream", sheet: false }) },
    {
      group: "Go to",
      icon: icon("i-board"),
      text: "Board",
      act: () => go({ view: "board", task: null, sheet: false }),
    },
    { group: "Go to", icon: icon("i-floor"), text: "Floor", act: () => go({ view: "floor", sheet: false }) },
    { group: "Go to", icon: icon("i-people"), text: "People", act: () => go({ view: "people", sheet: false }) },
    {
      group: "Go to",
      icon: icon("i-gear"),
      text: "Settings and devices",
      act: () => go({ view: "settings", sheet: false }),
    },
    ...app.rooms.map((one) => ({
      group: "Rooms",
      icon: icon("i-stream"),
      text: one.title || one.room,
      hint: one.approvals + one.blockers ? `${one.approvals + one.blockers} wait` : "",
      act: () => {
        showRoom(one.room);
        go({ room: one.room, gate: null, task: null, sheet: false });
      },
    })),
    ...Object.values(room?.tasks ?? {})
      .sort((a, b) => b.id - a.id)
      .map((task) => ({
        group: "Tasks",
        icon: icon("i-task"),
        text: `#${task.id} ${task.title}`,
        hint: task.status,
        act: () => go({ task: task.id }),
      })),
    ...(room?.members ?? []).map((one) => ({
      group: "Members",
      icon: html`<${StateMark} state=${one.state} />`,
      text: one.name,
      hint: one.role,
      act: () => go({ view: "people", sheet: false }),
    })),
  ];
}

/** @param {{onClose: () => void, newTask: () => void, openFloor: () => void, stop: () => void}} props */
export function Palette({ onClose, newTask, openFloor, stop }) {
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const found = entries({ newTask, openFloor, stop })
    .filter((one) =>
      words
        .trim()
        .toLowerCase()
        .split(/\s+/)
        .every((word) => `${one.text} ${one.group}`.toLowerCase().includes(word)),
    )
    .slice(0, words.trim() ? 40 : 24);
  useEffect(() => setChosen(0), [words]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (/** @type {Entry | undefined} */ one) => {
    if (!one) return;
    onClose();
    one.act();
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[/** @type {"ArrowUp"} */ (event.key)];
    if (step && found.length) setChosen((chosen + step + found.length) % found.length);
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return html`<${Dialog} title="Find or do" class="palette" bare onClose=${onClose}>
    <input class="field" autofocus role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${found.length ? `found-${chosen}` : undefined}
      placeholder="Find a task, an agent, a gate; or do something" aria-label="Find or do" value=${words}
      onInput=${(/** @type {any} */ e) => setWords(e.target.value)} onKeyDown=${key} />
    <ul role="listbox" id="found" aria-label="Results" ref=${list}>${found.map(
      (
        one,
        i,
      ) => html`${one.group !== found[i - 1]?.group && html`<li class="sub" role="presentation">${one.group}</li>`}
        <li role="option" id=${`found-${i}`} aria-selected=${i === chosen} onClick=${() => run(one)}>${one.icon}<span class="cut" dir="auto">${marked(one.text)}</span>${one.hint && html`<kbd>${one.hint}</kbd>`}</li>`,
    )}</ul>
    ${!found.length && html`<p class="nothing muted">Nothing like that here.</p>`}
  <//>`;
}
