// @ts-check
// Creates a task. What is written stays until the server has taken it.
import { html } from "htm/preact";
import { useRef, useState } from "preact/hooks";
import { go } from "../live/place.js";
import { ask, sentence, state, toast } from "../live/store.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";

/** @param {{onClose: () => void, parent?: number}} props */
export function NewTask({ onClose, parent }) {
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [priority, setPriority] = useState("medium");
  const [assignee, setAssignee] = useState("");
  const [reviewer, setReviewer] = useState("");
  const [after, setAfter] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  // sent twice after a lost answer, it is one task
  const key = useRef(crypto.randomUUID?.() ?? `${Math.random()}`);
  const { room } = state();
  const members = (room ? state().data[room]?.members : undefined) ?? [];
  const agents = members.filter((one) => one.kind === "agent");

  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    const depends = after
      .split(/[\s,]+/)
      .map((one) => Number(one.replace("#", "")))
      .filter(Boolean);
    try {
      const { task } = await ask("create_task", {
        room,
        title: title.trim(),
        priority,
        key: key.current,
        ...(description.trim() && { description: description.trim() }),
        ...(assignee && { assignee }),
        ...(reviewer && { reviewer }),
        ...(depends.length && { depends_on: depends }),
        ...(parent && { parent_id: parent }),
      });
      onClose();
      toast(`#${task.id} is on the board.`, { label: "Open", act: () => go({ task: task.id }) });
    } catch (why) {
      setWrong(sentence(why));
      setBusy(false);
    }
  };

  return html`<${Dialog} title=${parent ? `New task under #${parent}` : "New task"} onClose=${onClose}><form class="form" onSubmit=${save}>
    <label>Title<input class="field" required maxlength="200" dir="auto" value=${title} onInput=${(/** @type {any} */ e) => setTitle(e.target.value)} /></label>
    <label>Description<textarea class="field" rows="4" maxlength="8000" dir="auto" value=${description} onInput=${(/** @type {any} */ e) => setDescription(e.target.value)}></textarea></label>
    <div class="form-two">
      <label>Priority<select class="field" value=${priority} onChange=${(/** @type {any} */ e) => setPriority(e.target.value)}>
        <option value="high">high</option><option value="medium">medium</option><option value="low">low</option></select></label>
      <label>After tasks<input class="field" placeholder="142, 143" inputmode="numeric" value=${after} onInput=${(/** @type {any} */ e) => setAfter(e.target.value)} /></label>
      <label>For<select class="field" value=${assignee} onChange=${(/** @type {any} */ e) => setAssignee(e.target.value)}>
        <option value="">whoever is free</option>${agents.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></label>
      <label>Reviewer<select class="field" value=${reviewer} onChange=${(/** @type {any} */ e) => setReviewer(e.target.value)}>
        <option value="">any who may</option>${members.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></label>
    </div>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button type="button" class="btn" onClick=${onClose}>Leave it</button
      ><button class="btn ink" disabled=${busy || !title.trim()}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Create task</button></div>
  </form><//>`;
}
