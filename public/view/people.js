// @ts-check
// Who is here: agents by what they need, with what each does now and since when; then the people.
/** @import { Member, RoomData } from "../types.d.ts" */
import { html } from "htm/preact";
import { useNow } from "../live/clock.js";
import { go, usePlace } from "../live/place.js";
import { useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { kindWord } from "../words/needs.js";
import { fullTime, whenever } from "../words/time.js";
import { Icon, StateMark } from "./icons.js";

const order = ["waiting", "blocked", "working", "quiet", "done", "offline"];

/**
 * What a member does now, and since when.
 * @param {Member} member @param {RoomData} room
 * @returns {{words: string, since: string | null | undefined, gate?: string, task?: number}}
 */
function doing(member, room) {
  const gates = Object.values(room.gates).filter((one) => one.status === "pending" && one.asked_by === member.name);
  const gate = gates.find((one) => one.kind !== "blocker") ?? gates[0];
  const tasks = Object.values(room.tasks).filter((one) => one.assignee === member.name);
  const task = tasks.find((one) => one.status === "claimed") ?? tasks.find((one) => one.status === "submitted");
  const number = task ? ` · #${task.id}` : "";
  if (gate) {
    const step = (gate.approvals_needed ?? 1) > 1 && gate.approvals?.length ? ", 1 of 2" : "";
    const words = gate.kind === "blocker" ? gate.title : `${kindWord(gate.kind)}${step}: ${gate.title}`;
    return { words: `${words}${gate.task_id ? ` · #${gate.task_id}` : number}`, since: gate.asked_at, gate: gate.id };
  }
  const floor = Object.values(room.floors).find((one) => one.holder === member.name);
  if (floor) return { words: `Holds the floor, turn ${floor.turn}`, since: floor.since };
  if (task) {
    const words = task.status === "submitted" ? `#${task.id} submitted, waits for review` : `#${task.id} ${task.title}`;
    return { words, since: task.updated_at, task: task.id };
  }
  if (member.presence?.note) return { words: member.presence.note, since: member.last_seen };
  if (!member.last_seen) return { words: "Has never connected", since: null };
  return {
    words: { offline: "Not heard of since", done: "Done", quiet: "Quiet" }[/** @type {"done"} */ (member.state)] ?? "",
    since: member.last_seen,
  };
}

/** @param {{member: Member, room: RoomData, you: boolean}} props */
function Row({ member, room, you }) {
  const now = useNow();
  const { words, since, gate, task } = doing(member, room);
  const role = member.server_role === "owner" ? "owner" : member.role;
  const open = () => {
    if (gate) go({ gate, sheet: true });
    else if (task) go({ task });
    else if (you) go({ view: "settings" });
  };
  return html`<li><button class="member" onClick=${open}><${StateMark} state=${member.kind === "person" && member.state === "working" ? "done" : member.state}
    label=${member.kind === "person" && member.state === "working" ? "here" : member.state} />
    <span class="cut"><span class="name">${you ? `${member.name} (you)` : member.name}</span>${role !== "worker" && html`<span class="role">${role}</span>`}</span>
    ${since ? html`<time class="since" datetime=${since} title=${fullTime(since)}>${whenever(since, now)}</time>` : html`<span class="since"></span>`}
    <span class="now cut" dir="auto">${marked(you && !words ? "Your devices and settings" : words)}</span></button></li>`;
}

export function People() {
  const data = useApp((app) => (app.room ? app.data[app.room] : undefined));
  const me = useApp((app) => app.me?.member);
  const viewer = useApp((app) => app.rooms.find((one) => one.room === app.room)?.role === "viewer");
  usePlace();
  const members = data?.members ?? [];
  const agents = members
    .filter((one) => one.kind === "agent")
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name));
  const people = members
    .filter((one) => one.kind === "person")
    .sort((a, b) => Number(b.name === me) - Number(a.name === me));
  return html`<section class="pane people" aria-labelledby="h-people">
    <div class="pane-head"><h2 id="h-people">Agents</h2><span class="muted small">${agents.length}</span>${
      !viewer &&
      html`<button class="btn quiet sm push" onClick=${() => go({ view: "connect" })}><${Icon} name="i-plus" />Invite</button>`
    }</div>
    <div class="scroll"><ul>${data && agents.map((one) => html`<${Row} key=${one.name} member=${one} room=${data} you=${false} />`)}</ul>
      ${!agents.length && html`<p class="nothing muted">No agent is here yet.</p>`}
      <h3 class="sub">People</h3>
      <ul>${data && people.map((one) => html`<${Row} key=${one.name} member=${one} room=${data} you=${one.name === me} />`)}</ul></div>
  </section>`;
}
