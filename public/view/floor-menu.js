// @ts-check
// What is done rarely with a floor: its seats and settings, one more channel, the conversation as a file, and what ends
// a turn or the floor, which asks once more.
/** @import { Floor } from "../types.d.ts" */
/** @import { Entry } from "./menu.js" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { doIt, useApp } from "../live/store.js";
import { CloseDialog, RevokeDialog } from "./floor-acts.js";
import { Menu } from "./menu.js";

/** @type {[string, string, string, string][]} format, name, ending, type */
const formats = [
  ["markdown", "Markdown", "md", "text/markdown"],
  ["jsonl", "JSON Lines", "jsonl", "application/jsonl"],
];

/** @param {string} text @param {string} name @param {string} type */
function save(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {{floor: Floor, me: string | undefined, may: boolean, onEdit: () => void, onMore: () => void}} props */
export function FloorMenu({ floor, me, may, onEdit, onMore }) {
  const room = useApp((app) => app.room);
  const [asking, setAsking] = useState("");
  const open = floor.status !== "closed";
  const others = floor.holder && floor.holder !== me && floor.status === "open";
  const take = async (/** @type {string} */ format, /** @type {string} */ ending, /** @type {string} */ type) => {
    const done = await doIt("export_conversation", { room, channel: floor.channel, format });
    if (done) save(done.text, `${room}-${floor.channel}.${ending}`, type);
  };
  /** @type {(Entry | false | null)[]} */
  const entries = [
    may && open && { word: "Seats and settings", icon: "i-gear", act: onEdit },
    may && { word: "One more channel", icon: "i-plus", act: onMore },
    ...formats.map(([format, name, ending, type]) => ({
      word: `Export as ${name}`,
      icon: "i-down",
      act: () => void take(format, ending, type),
    })),
    may && others
      ? { word: `Revoke: take it from ${floor.holder}`, icon: "i-x", bad: true, act: () => setAsking("revoke") }
      : null,
    may && open && { word: "Close this floor", icon: "i-stop", bad: true, act: () => setAsking("close") },
  ];
  const leave = () => setAsking("");
  return html`<${Menu} label="More about this floor" entries=${entries.filter(Boolean)} />
    ${asking === "revoke" && html`<${RevokeDialog} floor=${floor} onClose=${leave} />`}
    ${asking === "close" && html`<${CloseDialog} floor=${floor} onClose=${leave} />`}`;
}
