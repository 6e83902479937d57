// @ts-check
// The floor: who holds it and for how long, who comes next, what is still asked, who sits where; and what a person can
// do about it.
/** @import { Floor, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { go } from "../live/place.js";
import { useApp } from "../live/store.js";
import { agentTurns, floorOf, modes } from "../words/floor.js";
import { Prose } from "../words/markdown.js";
import { WhenTime } from "../words/time.js";
import { ChannelChips } from "./channel-chips.js";
import { Clamp } from "./clamp.js";
import { FloorActs } from "./floor-acts.js";
import { FloorMenu } from "./floor-menu.js";
import { Holder } from "./holder.js";
import { Icon } from "./icons.js";
import { Queue } from "./queue.js";
import { Say } from "./say.js";
import { SeatsDialog } from "./seats.js";
import { Shares } from "./shares.js";
import { Talk } from "./talk.js";
import { useWidth } from "./width.js";

/** What a person should know about how it goes. @param {{floor: Floor, gate: Gate | undefined}} props `gate`: what the floor itself asks */
function Care({ floor, gate }) {
  const { lopsided } = floor;
  const turns = agentTurns(floor);
  return html`${
    floor.waits_for_word &&
    html`<p class="care is-waiting"><${Icon} name="i-pause" /><span><b>Paused after ${floor.agent_turns} turns of agents.</b> It goes on when a person says how.</span>${
      gate && html`<button class="btn sm push" onClick=${() => go({ gate: gate.id, sheet: true })}>Answer</button>`
    }</p>`
  }
  ${floor.wrapping_up && html`<p class="care"><${Icon} name="i-arrow" /><span><b>Wrapping up:</b> each seat has one more turn, then it closes.</span></p>`}
  ${
    lopsided &&
    html`<p class="care"><${Icon} name="i-warn" /><span><b>${lopsided.seat}</b> had ${lopsided.turns} of the last ${lopsided.of} turns.</span></p>`
  }
  ${!floor.waits_for_word && turns && html`<p class="care muted small">${turns}</p>`}`;
}

/** Asked and not answered yet. @param {{floor: Floor, me: string | undefined}} props */
function Questions({ floor, me }) {
  if (!floor.questions?.length) return null;
  return html`<h3 class="sub">Open questions</h3><ul class="questions">${floor.questions.map(
    (one) =>
      html`<li key=${one.utterance}><div class="by"><span class="name">${one.from === me ? "you" : one.from}</span><span class="muted">${
        one.to ? `asks ${one.to === me ? "you" : one.to}` : "asks anybody"
      }</span><${WhenTime} at=${one.at} class="muted" /></div><${Clamp}><${Prose} text=${one.text} whole /><//></li>`,
  )}</ul>`;
}

export function FloorPane() {
  const room = useApp((app) => app.room);
  const data = useApp((app) => (app.room ? app.data[app.room] : undefined));
  const me = useApp((app) => app.me?.member);
  const may = useApp((app) => app.rooms.find((one) => one.room === app.room)?.role !== "viewer");
  const floor = useApp(floorOf);
  const width = useWidth();
  const [editing, setEditing] = useState(/** @type {"this" | "new" | null} */ (null));
  const open = floor && floor.status !== "closed";
  const holder = data?.members.find((one) => one.name === floor?.holder);
  const pending = Object.values(data?.gates ?? {}).filter((one) => one.status === "pending");
  const gate = pending.find((one) => one.kind !== "blocker" && one.asked_by === floor?.holder);
  const asks = pending.filter((one) => one.kind === "feedback" && one.asked_by === "parley");
  const own = asks.find((one) => one.title.startsWith(`${floor?.channel}:`)) ?? asks[0];
  const members = data?.members ?? [];
  // where it is wide the stream stands beside it
  const talk = floor && width !== "wide" && html`<${Talk} key=${`${room} ${floor.channel}`} floor=${floor} />`;
  return html`<section class="pane floor" aria-labelledby="h-floor">
    <div class="pane-head"><h2 id="h-floor">Floor</h2><span class="muted small cut" title=${floor?.channel}>${floor ? floor.channel : ""}${
      open ? ` · ${modes[floor.mode]}` : ""
    }</span><span class="push"></span>
      ${floor && html`<${FloorMenu} floor=${floor} me=${me} may=${may} onEdit=${() => setEditing("this")} onMore=${() => setEditing("new")} />`}
    </div>
    <${ChannelChips} floor=${floor} />
    <div class="scroll">
      ${
        open
          ? html`<${Holder} floor=${floor} holder=${holder} gate=${gate} me=${me} />
            ${may && html`<${FloorActs} floor=${floor} me=${me} />`}
            <${Care} floor=${floor} gate=${own} />
            <${Queue} floor=${floor} may=${may} />
            <${Questions} floor=${floor} me=${me} />
            ${talk}
            <${Shares} key=${floor.channel} floor=${floor} members=${members} may=${may} />`
          : html`<div class="no-floor"><p class="muted">${
              floor
                ? `The floor is closed. It goes on after turn ${floor.last_turn ?? floor.turn ?? 0}.`
                : "No floor is open. On a floor agents speak one at a time, in order."
            }</p>${may && room && html`<button class="btn" onClick=${() => setEditing("this")}>Open a floor</button>`}</div>
            ${floor && html`<${Questions} floor=${floor} me=${me} />${talk}<${Shares} key=${floor.channel} floor=${floor} members=${members} may=${false} />`}`
      }
    </div>
    <${Say} id="say-floor" />
    ${editing && html`<${SeatsDialog} floor=${floor} fresh=${editing === "new"} members=${members} onClose=${() => setEditing(null)} />`}
  </section>`;
}
