// @ts-check
// The board: columns by state when wide, one column with chips on the phone.
/** @import { Gate, Member, RoomData, Task, TaskStatus } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ms, useNow } from "../live/clock.js";
import { follow, linkTo, usePlace } from "../live/place.js";
import { useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { spell, whenever } from "../words/time.js";
import { Icon, StateMark } from "./icons.js";
import { NewTask } from "./new-task.js";
import { ViewTabs } from "./tabs.js";
import { TaskPage } from "./task.js";

/** @type {[TaskStatus, string][]} */
const columns = [
  ["open", "Open"],
  ["claimed", "Claimed"],
  ["submitted", "Submitted"],
  ["done", "Done"],
  ["cancelled", "Cancelled"],
];
const priorities = ["high", "medium", "low"];
export const priorityIcon = { high: "i-up2", medium: "i-mid", low: "i-low" };

/** @param {Task[]} tasks @param {TaskStatus} status */
function sorted(tasks, status) {
  const late = status === "done" || status === "cancelled";
  return tasks
    .filter((one) => one.status === status)
    .sort((a, b) =>
      late
        ? ms(b.updated_at) - ms(a.updated_at)
        : priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || a.id - b.id,
    );
}

/** @param {{task: Task, gates: Gate[], members: Member[], all: Record<number, Task>, now: number}} props */
function Tags({ task, gates, all, now }) {
  const gate = gates.find((one) => one.status === "pending" && one.task_id === task.id);
  const children = Object.values(all).filter((one) => one.parent_id === task.id && one.status !== "cancelled");
  const finished = children.filter((one) => one.status === "done").length;
  const waits = (task.depends_on ?? []).filter((id) => all[id] && all[id]?.status !== "done");
  /** @type {any[]} */
  const tags = [];
  if (children.length) tags.push(html`<span class="tag">${finished} of ${children.length}</span>`);
  if (task.blocked || gate?.kind === "blocker") tags.push(html`<span class="tag is-blocked">blocked</span>`);
  else if (gate)
    tags.push(html`<span class="tag is-waiting">${gate.kind === "approval" ? "approval" : "question"}</span>`);
  if (task.status === "open") {
    if (task.ready === false)
      tags.push(html`<span class="tag">${waits.length ? `after #${waits.join(", #")}` : "not ready"}</span>`);
    else tags.push(html`<span class="tag">ready</span>`);
  }
  if (task.status === "claimed" && task.lease_until && !tags.length) {
    tags.push(html`<span class="tag">lease ${spell(ms(task.lease_until) - now)}</span>`);
  }
  if (task.status === "submitted") {
    const round = task.rounds?.length ?? 0;
    tags.push(html`<span class="tag">${round > 1 ? `round ${round}` : "needs a review"}</span>`);
  }
  if (task.status === "done" || task.status === "cancelled")
    tags.push(html`<span class="tag">${whenever(task.updated_at, now)}</span>`);
  return tags;
}

/** @param {{task: Task, room: RoomData, now: number}} props */
function Card({ task, room, now }) {
  const member = room.members.find((one) => one.name === task.assignee);
  return html`<a class="task" href=${linkTo({ task: task.id })} onClick=${follow({ task: task.id })} data-task=${task.id}>
    <span class="title" dir="auto">${marked(task.title)}</span>
    <span class="line"><span class="num">#${task.id}</span><${Icon} name=${priorityIcon[task.priority] ?? "i-mid"} label=${`${task.priority} priority`} />${
      task.assignee
        ? html`<span class="who">${member && html`<${StateMark} state=${member.state} />`}${task.assignee}</span>`
        : html`<span>unassigned</span>`
    }<span class="push"></span><${Tags} task=${task} gates=${Object.values(room.gates)} members=${room.members} all=${room.tasks} now=${now} /></span></a>`;
}

export function Board() {
  const data = useApp((app) => (app.room ? app.data[app.room] : undefined));
  const viewer = useApp((app) => app.rooms.find((one) => one.room === app.room)?.role === "viewer");
  const { task } = usePlace();
  const [current, setCurrent] = useState(/** @type {TaskStatus} */ ("claimed"));
  const [making, setMaking] = useState(false);
  const now = useNow();
  if (task) return html`<${TaskPage} key=${task} id=${task} />`;
  const tasks = Object.values(data?.tasks ?? {});
  const count = (/** @type {TaskStatus} */ status) =>
    data?.counts[status] ?? tasks.filter((one) => one.status === status).length;
  const shown = columns.filter(([status]) => status !== "cancelled" || current === "cancelled");
  return html`<section class="pane board" aria-labelledby="h-board">
    <h2 class="vh" id="h-board">Board</h2>
    <div class="view-head"><${ViewTabs} />
      <div class="chips run filters narrow" role="group" aria-label="State">${columns.map(
        ([status, name]) =>
          html`<button class="chip" aria-pressed=${current === status} onClick=${() => setCurrent(status)}>${name} <span class="muted">${count(status)}</span></button>`,
      )}</div>
      <span class="push not-narrow"></span>
      ${
        count("cancelled") > 0 &&
        html`<button class="chip not-narrow" aria-pressed=${current === "cancelled"} onClick=${() => setCurrent(current === "cancelled" ? "claimed" : "cancelled")}
          >Cancelled <span class="muted">${count("cancelled")}</span></button>`
      }
      ${!viewer && html`<button class="btn sm make" onClick=${() => setMaking(true)} aria-label="New task"><${Icon} name="i-plus" /><span class="not-narrow">New task</span></button>`}
    </div>
    <div class="scroll cols" data-columns=${shown.length}>${
      data &&
      shown.map(
        ([
          status,
          name,
        ]) => html`<section class="col" key=${status} data-current=${current === status ? "" : undefined} aria-label=${name}>
          <h3 class="col-head">${name} <span class="muted">${count(status)}</span></h3>
          ${sorted(tasks, status).map((one) => html`<${Card} key=${one.id} task=${one} room=${data} now=${now} />`)}
          ${!count(status) && html`<p class="nothing muted small">${nothing(status)}</p>`}
          ${more(count(status), sorted(tasks, status).length)}
        </section>`,
      )
    }</div>
    ${making && html`<${NewTask} onClose=${() => setMaking(false)} />`}
  </section>`;
}

/** @param {number} count @param {number} shown */
const more = (count, shown) => (count > shown ? html`<p class="nothing muted small">${count - shown} older</p>` : null);

/** @param {TaskStatus} status */
const nothing = (status) =>
  ({
    open: "Nothing to be taken up.",
    claimed: "Nobody works on a task.",
    submitted: "Nothing waits for a review.",
    done: "Nothing is done yet.",
    cancelled: "Nothing was cancelled.",
  })[status];
