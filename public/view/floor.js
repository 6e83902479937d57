// @ts-check
// The floor: who holds it and for how long, who comes next, who sits where; and what a person can do about it.
/** @import { Floor, Gate, Member, Waiting } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ms, useNow } from "../live/clock.js";
import { ask, doIt, toast, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { spell, Time } from "../words/time.js";
import { Icon, StateMark } from "./icons.js";
import { Say } from "./say.js";
import { SeatsDialog } from "./seats.js";

const modes = { open: "open", round_robin: "round robin", moderated: "moderated" };

/** @param {Floor} floor @param {Member | undefined} holder */
function useClock(floor, holder) {
  const now = useNow();
  const times = holder?.kind === "person" ? 5 : 1;
  const hold = (floor.hold_seconds ?? 180) * 1000 * times;
  const limit = (floor.max_turn_seconds ?? 600) * 1000 * times;
  const left = ms(floor.lapses_at) - now;
  const limitLeft = ms(floor.turn_ends_at) - now;
  return {
    left,
    share: left / hold,
    limitShare: limit ? limitLeft / limit : 0,
    warned: left < Math.min(30_000, hold / 4),
  };
}

/** @param {number} part */
const dash = (part) => `${Math.round(Math.min(1, Math.max(0, part || 0)) * 1000) / 10} 100`;

/** @param {{floor: Floor, holder: Member | undefined, gate: Gate | undefined, me: string | undefined}} props */
function Holder({ floor, holder, gate, me }) {
  const { left, share, limitShare, warned } = useClock(floor, holder);
  if (!floor.holder) {
    return html`<div class="holder"><div class="clock"><svg class="ring" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="20" /></svg></div>
      <div class="holds"><div class="who">Nobody</div><div class="small muted">${
        floor.status === "paused"
          ? "the floor is paused"
          : floor.quiescent
            ? "nobody has anything to add"
            : "the floor is free"
      }</div></div></div>`;
  }
  const stands = floor.status === "paused" || !floor.lapses_at || gate !== undefined;
  const state = stands ? "paused" : warned ? "warning" : "";
  const words = stands ? "the clock stands" : `${spell(left)} left`;
  return html`<div class="holder">
    <div class="clock" role="timer" aria-label=${words}><svg class=${`ring ${state}`} viewBox="0 0 48 48" aria-hidden="true"
      ><circle cx="24" cy="24" r="20" /><circle class="left" cx="24" cy="24" r="20" pathLength="100" stroke-dasharray=${dash(stands ? 1 : share)} />${
        limitShare > 0 &&
        html`<circle class="limit left" cx="24" cy="24" r="16" pathLength="100" stroke-dasharray=${dash(limitShare)} />`
      }</svg><span aria-hidden="true">${stands ? html`<${Icon} name="i-pause" class="lg" />` : spell(left)}</span></div>
    <div class="holds"><div class="who">${floor.holder === me ? "You" : floor.holder}</div>
      <div class="small muted">${floor.offered ? "is offered" : floor.holder === me ? "have" : "has"} the floor, turn ${floor.turn}</div>
      <div class="small muted">${
        floor.status === "paused"
          ? "paused: the clock stands"
          : gate
            ? "the clock stands: waits for you"
            : html`since <${Time} at=${floor.since} />${floor.turn_ends_at ? html`, at most until <${Time} at=${floor.turn_ends_at} />` : ""}`
      }</div></div>
  </div>`;
}

/** @param {{floor: Floor, me: string | undefined, labels: boolean}} props */
function Ops({ floor, me, labels }) {
  const room = useApp((app) => app.room);
  const [busy, setBusy] = useState("");
  const act = (/** @type {string} */ action) => async () => {
    setBusy(action);
    const done = await doIt(action, { room, channel: floor.channel });
    setBusy("");
    if (done && action === "close_floor") toast("The floor is closed.");
  };
  const holds = floor.holder === me;
  const paused = floor.status === "paused";
  /** @type {[string, string, string, boolean][]} action, name, icon, shown */
  const all = [
    ["take_floor", "Take", "i-take", !holds && !paused],
    ["pass_floor", "Pass", "i-pass", holds],
    ["pause_floor", "Pause", "i-pause", !paused],
    ["resume_floor", "Resume", "i-play", paused],
    ["revoke_floor", "Revoke", "i-x", Boolean(floor.holder) && !holds && !paused],
    ["close_floor", "Close", "i-stop", true],
  ];
  return all
    .filter(([, , , shown]) => shown)
    .map(([action, name, icon]) =>
      labels
        ? html`<button class="btn sm" disabled=${busy === action} onClick=${act(action)}><${Icon} name=${icon} />${name}</button>`
        : html`<button class="icon-btn" disabled=${busy === action} aria-label=${name} title=${name} onClick=${act(action)}><${Icon} name=${icon} /></button>`,
    );
}

/** @param {{floor: Floor, may: boolean}} props */
function Queue({ floor, may }) {
  const room = useApp((app) => app.room);
  const interrupted = slots(floor);
  if (!floor.queue.length && !interrupted.length) return null;
  const grant = (/** @type {string} */ seat) => () => doIt("grant_floor", { room, channel: floor.channel, seat });
  const deny = (/** @type {string} */ seat) => () =>
    doIt("deny_request", { room, channel: floor.channel, seat, reason: "Not now" });
  return html`<h3 class="sub">Next</h3><ol class="queue">
    ${interrupted.map(
      (seat) => html`<li class="resume" key=${`r ${seat}`}><span class="pos"><${Icon} name="i-arrow" /></span>
        <span class="top-line"><span class="name cut">${seat}</span><span class="bound">speaks next</span></span>
        ${may && html`<span class="acts"><button class="btn sm soft" aria-label=${`Grant to ${seat}`} onClick=${grant(seat)}>Grant</button></span>`}
        <span class="purpose">Was interrupted</span></li>`,
    )}
    ${floor.queue.map(
      (/** @type {Waiting} */ one, i) => html`<li key=${one.seat}><span class="pos">${i + 1}</span>
        <span class="top-line"><span class="name cut">${one.seat}</span>${
          one.urgency === "high"
            ? html`<${Icon} name="i-up2" label="high urgency" />`
            : one.urgency === "low"
              ? html`<span class="bound">low urgency</span>`
              : ""
        }<span class="bound">${bound(one, floor)}</span></span>
        ${
          may &&
          html`<span class="acts"><button class="icon-btn" aria-label=${`Deny ${one.seat}`} title="Deny" onClick=${deny(one.seat)}><${Icon} name="i-x" /></button
          ><button class="btn sm soft" aria-label=${`Grant to ${one.seat}`} onClick=${grant(one.seat)}>Grant</button></span>`
        }
        <span class="purpose" dir="auto">${marked(one.purpose || "No purpose said")}</span></li>`,
    )}</ol>`;
}

/** @param {Waiting} one @param {Floor} floor */
function bound(one, floor) {
  if (floor.mode === "moderated") return "waits for a grant";
  const turns = one.at_most_turns;
  return turns ? `at most ${turns} ${turns === 1 ? "turn" : "turns"}` : "";
}

/** Seats with the right to speak next. @param {Floor} floor @returns {string[]} */
const slots = (floor) =>
  (Array.isArray(floor.resume) ? floor.resume : floor.resume ? [floor.resume] : []).map((one) =>
    typeof one === "string" ? one : one.seat,
  );

/** Talk time of each seat (s), asked anew with each turn. @param {string | null} room @param {Floor} floor */
function useTalk(room, floor) {
  const [talk, setTalk] = useState(/** @type {Record<string, number>} */ ({}));
  const live = useApp((app) => app.link.state === "live");
  useEffect(() => {
    if (!live) return;
    let gone = false;
    ask("floor_report", { room, channel: floor.channel }).then(
      (report) => {
        if (gone) return;
        setTalk(
          Object.fromEntries((report.seats ?? []).map((/** @type {any} */ one) => [one.seat, Number(one.held_s) || 0])),
        );
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [room, floor.channel, floor.turn, floor.holder, live]);
  return talk;
}

/** @param {{floor: Floor, members: Member[]}} props */
function Seats({ floor, members }) {
  const room = useApp((app) => app.room);
  const talk = useTalk(room, floor);
  const total = Object.values(talk).reduce((sum, one) => sum + one, 0);
  const most = Math.max(1, ...Object.values(talk));
  return html`<h3 class="sub">Seats in order <span class="push">talk time</span></h3>
  <ul class="talk">${floor.seats.map(({ seat, presence }) => {
    const state = members.find((one) => one.name === seat)?.state ?? "offline";
    const held = talk[seat] ?? 0;
    const note = presence && presence !== "live" && presence !== "quiet" ? ` (${presence})` : "";
    return html`<li key=${seat}><${StateMark} state=${state} /><span class="cut">${seat}${note}</span
      ><svg class=${`bar ${seat === floor.holder ? "now" : ""}`} aria-hidden="true"><rect width=${`${Math.round((held / most) * 100)}%`} height="6" rx="3" /></svg
      ><span class="num">${total ? Math.round((held / total) * 100) : 0} %</span></li>`;
  })}</ul>`;
}

export function FloorPane() {
  const room = useApp((app) => app.room);
  const data = useApp((app) => (app.room ? app.data[app.room] : undefined));
  const me = useApp((app) => app.me?.member);
  const viewer = useApp((app) => app.rooms.find((one) => one.room === app.room)?.role === "viewer");
  const [channel, setChannel] = useState(/** @type {string | null} */ (null));
  const [editing, setEditing] = useState(false);
  const floors = Object.values(data?.floors ?? {});
  const floor =
    floors.find((one) => one.channel === channel) ?? floors.find((one) => one.status !== "closed") ?? floors[0];
  const open = floor && floor.status !== "closed";
  const may = !viewer;
  const holder = data?.members.find((one) => one.name === floor?.holder);
  const gate = Object.values(data?.gates ?? {}).find(
    (one) => one.status === "pending" && one.kind !== "blocker" && one.asked_by === floor?.holder,
  );
  return html`<section class="pane floor" aria-labelledby="h-floor">
    <div class="pane-head"><h2 id="h-floor">Floor</h2><span class="muted small cut">${floor ? floor.channel : ""}${
      open ? html`<span class="not-wide"> · ${modes[floor.mode]}</span>` : ""
    }</span><span class="push"></span>
      ${open && may && html`<span class="wide tight"><${Ops} floor=${floor} me=${me} labels=${false} /></span>`}
      ${may && open && html`<button class="icon-btn" aria-label="Seats and settings" title="Seats and settings" onClick=${() => setEditing(true)}><${Icon} name="i-more" /></button>`}
    </div>
    ${
      floors.length > 1 &&
      html`<div class="chips run">${floors.map(
        (one) =>
          html`<button class="chip" aria-pressed=${one === floor} onClick=${() => setChannel(one.channel)}>${one.channel}</button>`,
      )}</div>`
    }
    <div class="scroll">
      ${
        open
          ? html`<${Holder} floor=${floor} holder=${holder} gate=${gate} me=${me} />
            ${may && html`<div class="ops not-wide"><${Ops} floor=${floor} me=${me} labels /></div>`}
            <${Queue} floor=${floor} may=${may} />
            <${Seats} floor=${floor} members=${data?.members ?? []} />`
          : html`<div class="no-floor"><p class="muted">${
              floor
                ? `The floor is closed. It goes on after turn ${floor.last_turn ?? floor.turn ?? 0}.`
                : "No floor is open. On a floor agents speak one at a time, in order."
            }</p>${may && room && html`<button class="btn" onClick=${() => setEditing(true)}>Open a floor</button>`}</div>`
      }
    </div>
    <${Say} id="say-floor" />
    ${editing && html`<${SeatsDialog} floor=${floor} members=${data?.members ?? []} onClose=${() => setEditing(false)} />`}
  </section>`;
}
