// @ts-check
// One task whole: what it asks, its rounds, what was said about it, its gates and its tree; review, cancel, reassign.
/** @import { Gate, Round, Task } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { follow, go, linkTo } from "../live/place.js";
import { ask, doIt, sentence, toast, useApp } from "../live/store.js";
import { Prose } from "../words/markdown.js";
import { marked } from "../words/marks.js";
import { kindWord, stateOfGate } from "../words/needs.js";
import { WhenTime } from "../words/time.js";
import { priorityIcon } from "./board.js";
import { Icon, StateMark } from "./icons.js";
import { NewTask } from "./new-task.js";

/** @typedef {{task: Task, messages?: any[], history?: any[], gates?: Gate[]}} Whole */

/** The task with its messages, asked anew whenever the board's own record changes. @param {number} id */
function useTask(id) {
  const room = useApp((app) => app.room);
  const task = useApp((app) => (app.room ? app.data[app.room]?.tasks[id] : undefined));
  const live = useApp((app) => app.link.state === "live");
  const said = useApp(
    (app) =>
      (app.room ? app.data[app.room]?.facts : undefined)?.findLast((one) => Number(one.data?.task_id) === id)?.seq,
  );
  const [whole, setWhole] = useState(/** @type {Whole | null} */ (null));
  const [tree, setTree] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    if (!live || !room) return;
    let gone = false;
    ask("get_task", { room, task_id: id }).then(
      (found) => {
        if (gone) return;
        setWhole(found);
        setWrong("");
      },
      (why) => gone || setWrong(sentence(why)),
    );
    ask("task_tree", { room, task_id: id }).then(
      (found) => gone || setTree(found),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [id, room, task, said, live]);
  const known = whole?.task.id === id ? whole.task : undefined;
  return { room, task: task && !task.left_out ? task : (known ?? task), whole, tree, wrong };
}

/** @param {{round: Round, number: number}} props */
const RoundView = ({ round, number }) => html`<li class="round">
  <div class="by"><b>Round ${number}</b><span class="name">${round.by}</span><${WhenTime} at=${round.at} class="muted" /></div>
  <${Prose} text=${round.result} />
  ${
    round.verdict &&
    html`<p class="outcome"><span class=${round.verdict === "approve" ? "is-done" : "is-blocked"}><${Icon} name=${round.verdict === "approve" ? "i-check" : "i-x"} /></span>
      <span><b>${round.verdict === "approve" ? "Accepted" : "Sent back"}${round.reviewer ? ` by ${round.reviewer}` : ""}</b>${round.note ? html`: <bdi>${marked(round.note)}</bdi>` : "."}</span></p>`
  }
</li>`;

/** @param {{task: Task, room: string}} props */
function Review({ task, room }) {
  const [note, setNote] = useState("");
  const [keep, setKeep] = useState(true);
  const [busy, setBusy] = useState("");
  const [wrong, setWrong] = useState("");
  const send = (/** @type {"approve" | "reject"} */ verdict) => async () => {
    setBusy(verdict);
    setWrong("");
    try {
      await ask("review_task", {
        room,
        task_id: task.id,
        verdict,
        ...(note.trim() && { note: note.trim() }),
        ...(verdict === "reject" && { keep_assignee: keep }),
      });
      setNote("");
    } catch (why) {
      setWrong(sentence(why));
    } finally {
      setBusy("");
    }
  };
  return html`<section class="review" aria-label="Review">
    <h3>Your review of round ${task.rounds?.length ?? 1}</h3>
    <label class="vh" for="review-note">Note</label>
    <textarea class="field" id="review-note" rows="2" dir="auto" placeholder="Note; needed to send it back" value=${note}
      onInput=${(/** @type {any} */ e) => setNote(e.target.value)}></textarea>
    <label class="tick"><input type="checkbox" checked=${keep} onChange=${(/** @type {any} */ e) => setKeep(e.target.checked)} />Sent back, it stays with ${task.assignee ?? "its assignee"}</label>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button class="btn deny" disabled=${!note.trim() || Boolean(busy)} onClick=${send("reject")}><${Icon} name="i-x" />Reject result</button
      ><button class="btn approve" disabled=${Boolean(busy)} onClick=${send("approve")}><${Icon} name="i-check" />Approve result</button></div>
  </section>`;
}

/** @param {{node: any, here: number}} props */
function Tree({ node, here }) {
  if (!node) return null;
  const task = node.task ?? node;
  const children = node.children ?? [];
  return html`<li><a class=${task.id === here ? "here" : ""} href=${linkTo({ task: task.id })} onClick=${follow({ task: task.id })}
    aria-current=${task.id === here ? "page" : undefined}><span class="num">#${task.id}</span> <bdi>${marked(task.title ?? "")}</bdi> <span class="tag">${task.status}</span></a>${
      children.length > 0 &&
      html`<ul>${children.map((/** @type {any} */ one) => html`<${Tree} node=${one} here=${here} />`)}</ul>`
    }</li>`;
}

/** Cancels after one confirm step: what hangs under it goes too. @param {{task: Task, room: string}} props */
function CancelTask({ task, room }) {
  const [sure, setSure] = useState(false);
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  if (!sure) return html`<button class="btn sm" onClick=${() => setSure(true)}>Cancel task</button>`;
  const send = async () => {
    setBusy(true);
    try {
      const { cancelled } = await ask("cancel_task", {
        room,
        task_id: task.id,
        ...(reason.trim() && { reason: reason.trim() }),
      });
      toast(cancelled > 1 ? `#${task.id} and ${cancelled - 1} under it are cancelled.` : `#${task.id} is cancelled.`);
      setSure(false);
    } catch (why) {
      toast(sentence(why));
    }
    setBusy(false);
  };
  return html`<div class="confirm"><label>Why, if you like<input class="field" dir="auto" value=${reason} onInput=${(/** @type {any} */ e) => setReason(e.target.value)} /></label>
    <div class="form-foot"><button class="btn sm" onClick=${() => setSure(false)}>Leave it</button
    ><button class="btn sm deny" disabled=${busy} onClick=${send}>Yes, cancel it</button></div></div>`;
}

/** @param {{task: Task, room: string}} props */
function Assign({ task, room }) {
  const members = useApp((app) => app.data[room]?.members ?? []);
  const set = async (/** @type {any} */ event) => {
    try {
      await ask("update_task", { room, task_id: task.id, assignee: event.target.value || null });
    } catch (why) {
      toast(sentence(why));
      event.target.value = task.assignee ?? "";
    }
  };
  return html`<label class="inline">For <select class="field" value=${task.assignee ?? ""} onChange=${set}><option value="">whoever is free</option>${members
    .filter((one) => one.kind === "agent" || one.name === task.assignee)
    .map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></label>`;
}

/** A message about the task: its assignee, creator and reviewer get it. @param {{task: Task, room: string}} props */
function Write({ task, room }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    if (await doIt("post_message", { room, task_id: task.id, text: text.trim() })) setText("");
    setBusy(false);
  };
  return html`<form class="write" onSubmit=${send}><label class="vh" for="about-task">Message about this task</label>
    <input class="field" id="about-task" dir="auto" maxlength="4000" autocomplete="off" placeholder="Say something about this task" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} />
    <button class="btn" disabled=${busy || !text.trim()}>Send</button></form>`;
}

/** What a person does with a task like anybody: claim it, submit its result, give it back. @param {{task: Task, room: string, me: string | undefined}} props */
function Work({ task, room, me }) {
  const [result, setResult] = useState("");
  const [busy, setBusy] = useState(false);
  const act =
    (/** @type {string} */ action, /** @type {Record<string, unknown>} */ more = {}) =>
    async () => {
      setBusy(true);
      if (await doIt(action, { room, task_id: task.id, ...more })) setResult("");
      setBusy(false);
    };
  const free =
    task.status === "open" && task.ready !== false && (!task.assignee || task.assignee === me) && task.reviewer !== me;
  if (free) return html`<button class="btn sm" disabled=${busy} onClick=${act("claim_task")}>Claim</button>`;
  if (task.status !== "claimed" || task.assignee !== me) return null;
  return html`<section class="review" aria-label="Your work">
    <h3>Your result</h3>
    <label class="vh" for="result">Result</label>
    <textarea class="field" id="result" rows="3" dir="auto" maxlength="20000" placeholder="What you did, and where it is" value=${result}
      onInput=${(/** @type {any} */ e) => setResult(e.target.value)}></textarea>
    <div class="form-foot"><button class="btn" disabled=${busy} onClick=${act("release_task")}>Give it back</button
      ><button class="btn ink" disabled=${busy || !result.trim()} onClick=${act("submit_result", { result: result.trim() })}>Submit result</button></div>
  </section>`;
}

/** @param {{id: number}} props */
export function TaskPage({ id }) {
  const { room, task, whole, tree, wrong } = useTask(id);
  const viewer = useApp((app) => app.rooms.find((one) => one.room === app.room)?.role === "viewer");
  const me = useApp((app) => app.me?.member);
  const gatesHere = useApp((app) => (app.room ? app.data[app.room]?.gates : undefined));
  const assignee = useApp((app) =>
    app.room ? app.data[app.room]?.members.find((one) => one.name === task?.assignee) : undefined,
  );
  const [making, setMaking] = useState(false);
  const back = html`<button class="btn quiet sm" onClick=${() => go({ view: "board", task: null })}><${Icon} name="i-back" />Board</button>`;
  if (!task || !room) {
    return html`<section class="pane board page" aria-label=${`Task ${id}`}><div class="view-head">${back}</div><p class="nothing muted" role="status">${wrong || "Looking for it …"}</p></section>`;
  }
  const open = task.status === "open" || task.status === "claimed" || task.status === "submitted";
  const gates = [
    ...(whole?.gates ?? []).filter((one) => !gatesHere?.[one.id]),
    ...Object.values(gatesHere ?? {}).filter((one) => one.task_id === id),
  ];
  const rounds = task.rounds ?? [];
  return html`<section class="pane board page" aria-labelledby="h-task">
    <div class="view-head">${back}<span class="push"></span>${!viewer && open && html`<${CancelTask} task=${task} room=${room} />`}</div>
    <div class="scroll"><div class="sheet-page">
      <p class="line"><span class="num">#${task.id}</span><span class=${`tag ${task.blocked ? "is-blocked" : ""}`}>${task.blocked ? "blocked" : task.status}</span>
        <span class="who"><${Icon} name=${priorityIcon[task.priority] ?? "i-mid"} />${task.priority}</span>
        ${task.status === "open" && html`<span class="tag">${task.ready === false ? "not ready" : "ready"}</span>`}
        ${task.assignee && html`<span class="who">${assignee && html`<${StateMark} state=${assignee.state} />`}${task.assignee}</span>`}</p>
      <h2 id="h-task" class="page-title" dir="auto" tabindex="-1">${marked(task.title)}</h2>
      ${task.description && html`<${Prose} text=${task.description} />`}
      <dl class="gate-facts">
        <dt>Created</dt><dd>by <b>${task.creator === me ? "you" : task.creator}</b>, <${WhenTime} at=${task.created_at} /></dd>
        ${task.reviewer && html`<dt>Reviewer</dt><dd><b>${task.reviewer}</b></dd>`}
        ${task.skills?.length ? html`<dt>Skills</dt><dd>${task.skills.join(", ")}</dd>` : null}
        ${
          task.depends_on?.length
            ? html`<dt>After</dt><dd>${task.depends_on.map((one, i) => html`${i ? ", " : ""}<a href=${linkTo({ task: one })} onClick=${follow({ task: one })}>#${one}</a>`)}</dd>`
            : null
        }
        ${task.refs?.length ? html`<dt>See</dt><dd>${task.refs.map((one) => html`<div class="ref">${marked(one, { code: true })}</div>`)}</dd>` : null}
        ${task.lease_until && task.status === "claimed" ? html`<dt>Claim</dt><dd>lasts until <${WhenTime} at=${task.lease_until} /> without a sign of life</dd>` : null}
      </dl>
      ${
        !viewer &&
        open &&
        html`<div class="task-acts"><${Assign} task=${task} room=${room} />${
          task.status !== "submitted" &&
          html`<button class="btn sm soft" onClick=${() => setMaking(true)}><${Icon} name="i-plus" />Task under it</button>`
        }${task.status === "open" && html`<${Work} task=${task} room=${room} me=${me} />`}</div>${task.status === "claimed" && html`<${Work} task=${task} room=${room} me=${me} />`}`
      }
      ${
        gates.length > 0 &&
        html`<h3 class="sub flat">Gates</h3><ul class="plain">${gates.map(
          (
            gate,
          ) => html`<li><a href=${linkTo({ gate: gate.id })} onClick=${follow({ gate: gate.id, sheet: true })}><span class=${gate.status === "pending" ? `is-${stateOfGate(gate)}` : ""}><${Icon} name=${`k-${gate.kind}`} /></span>
          ${kindWord(gate.kind)}: <bdi>${marked(gate.title)}</bdi> <span class="tag">${gate.status}</span></a></li>`,
        )}</ul>`
      }
      ${rounds.length > 0 && html`<h3 class="sub flat">Results</h3><ol class="rounds">${rounds.map((round, i) => html`<${RoundView} round=${round} number=${i + 1} />`)}</ol>`}
      ${task.status === "submitted" && !viewer && task.assignee !== me && html`<${Review} task=${task} room=${room} />`}
      ${
        (open || (whole?.messages?.length ?? 0) > 0) &&
        html`<h3 class="sub flat">Messages</h3>${
          (whole?.messages?.length ?? 0) > 0 &&
          html`<ul class="said">${whole?.messages?.map(
            (one) =>
              html`<li key=${one.id}><div class="by"><span class="name">${one.from === me ? "you" : one.from}</span><span class="muted">${one.kind === "note" ? "" : `${one.kind}`.replace("_", " ")}</span><${WhenTime} at=${one.at} class="muted" /></div><${Prose} text=${one.text} /></li>`,
          )}</ul>`
        }${!viewer && open && html`<${Write} task=${task} room=${room} />`}`
      }
      ${
        tree?.tree &&
        (tree.tree.children?.length || task.parent_id) &&
        html`<h3 class="sub flat">Tree ${tree.budget && html`<span class="push">${tree.budget.used} of ${tree.budget.tasks} tasks</span>`}</h3><ul class="tree"><${Tree} node=${tree.tree} here=${id} /></ul>`
      }
    </div></div>
    ${making && html`<${NewTask} parent=${id} onClose=${() => setMaking(false)} />`}
  </section>`;
}
