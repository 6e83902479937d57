// @ts-check
// On every page: it is this person's turn on a floor, or somebody there asks them. A tap leads to where they speak.
/** @import { Call } from "../words/calls.js" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { answerCall, putCallAway } from "../live/channel.js";
import { ms, useNow } from "../live/clock.js";
import { doIt, say, useApp } from "../live/store.js";
import { callsOn, callWords } from "../words/calls.js";
import { marked } from "../words/marks.js";
import { fullTime, spell } from "../words/time.js";
import { Icon } from "./icons.js";

/** How long an offer, or a silence, still lasts. @param {{call: Call}} props */
function Left({ call: { what, floor } }) {
  const now = useNow();
  const until = floor?.lapses_at;
  if (what !== "turn" || !until) return null;
  return html` · <time class="num" datetime=${until} title=${fullTime(until)}>${spell(ms(until) - now)}</time>${
    floor.offered ? html` <span>to take it up</span>` : ""
  }`;
}

/** @param {{call: Call, elsewhere: string | null}} props `elsewhere`: the title of a room that is not shown */
function One({ call, elsewhere }) {
  const [busy, setBusy] = useState(false);
  const { room, channel, what, by, floor } = call;
  const turn = what === "turn";
  const pass = async () => {
    setBusy(true);
    await doIt("pass_floor", { room, channel });
    setBusy(false);
  };
  const speak = () => {
    answerCall(call);
    // who takes an offer up has the time of a turn to write
    if (floor?.offered) void doIt("keep_floor", { room, channel });
  };
  return html`<div class="call"><${Icon} name=${turn ? "i-speak" : "i-msg"} />
    <p>${turn ? html`<b>Your turn</b> on` : html`<b>${by}</b> ${what === "asked" ? "asks you" : "speaks to you"} on`} <b>${channel}</b>${
      elsewhere !== null && html` in <bdi>${marked(elsewhere)}</bdi>`
    }${turn && by && html`, <b>${by}</b> asks you`}<${Left} call=${call} /></p>
    <span class="call-acts">${turn && html`<button class="btn sm" disabled=${busy} onClick=${pass}>Pass</button>`}${
      what === "told" && html`<button class="btn sm" onClick=${() => putCallAway(call)}>Heard</button>`
    }<button class="btn sm ink" onClick=${speak}>${turn ? "Speak" : "Answer"}</button></span></div>`;
}

/** How many stand there at once: more would hide the page. */
const most = 2;

export function Calls() {
  const app = useApp((a) => a);
  const calls = callsOn(app);
  const words = calls.map(callWords).join(". ");
  useEffect(() => {
    if (words) say(words);
  }, [words]);
  if (!calls.length) return null;
  const titleOf = (/** @type {string} */ room) => app.rooms.find((one) => one.room === room)?.title || room;
  return html`<section class="calls" aria-label="Your word is waited for">${calls
    .slice(0, most)
    .map(
      (call) =>
        html`<${One} key=${`${call.room} ${call.channel}`} call=${call} elsewhere=${call.room === app.room ? null : titleOf(call.room)} />`,
    )}${calls.length > most && html`<p class="call-more small">and on ${calls.length - most} more ${calls.length - most === 1 ? "floor" : "floors"}</p>`}</section>`;
}
