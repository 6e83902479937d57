// @ts-check
// The seats in order, and how fairly they spoke: the share of talk time as a bar (full: all of it), the rest when a seat
// is opened.
/** @import { Floor, Member } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, doIt, useApp } from "../live/store.js";
import { gap } from "../words/time.js";
import { StateMark } from "./icons.js";

/**
 * @typedef {{seat: string, turns: number, characters: number, held_s: number, waited_p50_s: number | null,
 *   waited_max_s: number | null, bypassed: number, interrupted: number, missed: number}} Share
 */

/** How the conversation went so far, asked anew with each turn. @param {string | null} room @param {Floor} floor */
function useReport(room, floor) {
  const [shares, setShares] = useState(/** @type {Share[]} */ ([]));
  const live = useApp((app) => app.link.state === "live");
  useEffect(() => {
    if (!live) return;
    let gone = false;
    ask("floor_report", { room, channel: floor.channel }).then(
      (report) => !gone && setShares(report.seats ?? []),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [room, floor.channel, floor.turn, floor.last_turn, floor.holder, live]);
  return shares;
}

/** @param {number | null} seconds */
const waited = (seconds) => (seconds === null ? "never" : gap(seconds * 1000));

/** @param {{share: Share}} props */
const Figures = ({ share }) => html`<dl class="figures">
  <div><dt>Turns</dt><dd>${share.turns}</dd></div>
  <div><dt>Characters</dt><dd>${share.characters.toLocaleString("en-GB")}</dd></div>
  <div><dt>Held it</dt><dd>${gap(share.held_s * 1000)}</dd></div>
  <div><dt>Waits, median</dt><dd>${waited(share.waited_p50_s)}</dd></div>
  <div><dt>Waits, longest</dt><dd>${waited(share.waited_max_s)}</dd></div>
  <div><dt>Passed over</dt><dd>${share.bypassed}</dd></div>
  <div><dt>Interrupted</dt><dd>${share.interrupted}</dd></div>
  <div><dt>Turns missed</dt><dd>${share.missed}</dd></div>
</dl>`;

/** @param {{floor: Floor, members: Member[], may: boolean}} props */
export function Shares({ floor, members, may }) {
  const room = useApp((app) => app.room);
  const shares = useReport(room, floor);
  const held = (/** @type {string} */ seat) => shares.find((one) => one.seat === seat)?.held_s ?? 0;
  const total = shares.reduce((sum, one) => sum + one.held_s, 0);
  const part = (/** @type {string} */ seat) => (total ? Math.round((held(seat) / total) * 100) : 0);
  const outside = shares
    .filter((one) => !floor.seats.some(({ seat }) => seat === one.seat))
    .map(({ seat }) => ({ seat, presence: undefined }));
  const grant = (/** @type {string} */ seat) => () => doIt("grant_floor", { room, channel: floor.channel, seat });
  return html`<h3 class="sub">Seats in order <span class="push">talk time</span></h3>
  <ul class="talk">${[...floor.seats, ...outside].map(({ seat, presence }) => {
    const state = members.find((one) => one.name === seat)?.state ?? "offline";
    const note = presence && presence !== "live" && presence !== "quiet" ? ` (${presence})` : "";
    const share = shares.find((one) => one.seat === seat);
    return html`<li key=${seat}><details>
      <summary><${StateMark} state=${state} /><span class="cut">${seat}${note}</span
      ><svg class=${`bar ${seat === floor.holder ? "now" : ""}`} aria-hidden="true"><rect width=${`${part(seat)}%`} height="6" rx="3" /></svg
      ><span class="num">${part(seat)} %</span></summary>
      ${share && html`<${Figures} share=${share} />`}
      ${may && floor.status === "open" && seat !== floor.holder && html`<button class="btn sm soft" onClick=${grant(seat)}>Grant ${seat} the floor</button>`}
    </details></li>`;
  })}</ul>`;
}
