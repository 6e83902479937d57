// How the page puts together what comes in parts: its own modules, without a browser.
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../../src/package.ts";

const { merge, mergeGate, nothing } = await import(join(root, "public/live/state.js"));
const gate = (id: string, own: object = {}) => ({ id, room: "main", status: "pending", digest: `d-${id}`, ...own });
const room = (seq: number, gates: object[]) => ({
  ...{ type: "room", room: "main", seq, more: true },
  snapshot: { members: [], gates, tasks: [], facts: [], floors: [], snoozed: {}, notices: [] },
});
const part = (own: object) => ({ type: "part", room: "main", ...own });
const all = (messages: object[], app = nothing) => messages.reduce((had, message) => merge(had, message, 0), app);
const facts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ seq: from + n, action: "x", subject: "room:main" }));

it("E7: a room that is new to the page is shown from its first part on", () => {
  const first = all([room(9, [gate("a")])]);
  expect(Object.keys(first.data.main.gates)).toEqual(["a"]);
  const whole = all(
    [
      part({ gates: [gate("b", { status: "denied" })] }),
      part({ tasks: [{ id: 1 }] }),
      part({ facts: facts(3, 9), last: true }),
    ],
    first,
  );
  expect(Object.keys(whole.data.main.gates).sort()).toEqual(["a", "b"]);
  expect(whole.data.main.tasks[1]).toEqual({ id: 1 });
  expect(whole.data.main.facts.map(({ seq }: { seq: number }) => seq)).toEqual([3, 4, 5, 6, 7, 8, 9]);
});

it("E7: a room that stands there stays as it is until all of it has come anew", () => {
  const last = part({ facts: facts(3, 9), last: true });
  const before = all([room(9, [gate("a")]), part({ gates: [gate("b", { status: "denied" })] }), last]);
  const begun = all([room(20, [gate("c")]), part({ gates: [gate("b", { status: "denied" })] })], before);
  expect(begun.data).toEqual(before.data);
  const done = all([part({ facts: facts(8, 20), last: true })], begun);
  expect([done.data.main.seq, Object.keys(done.data.main.gates).sort(), done.coming]).toEqual([20, ["b", "c"], {}]);
  expect(done.data.main.facts).toHaveLength(18);
  expect(all([{ type: "welcome", rooms: [] }], begun).coming).toEqual({});
});

it("E7: what was loaded of a card stays while its action is the same, and no longer", () => {
  const light = gate("a", { left_out: ["details", "action"] });
  const shown = all([room(9, [light]), part({ facts: [], last: true })]);
  expect(shown.data.main.gates.a.left_out).toEqual(["details", "action"]);
  const loaded = mergeGate(shown, gate("a", { action: { n: 1 }, details: "why" }), 0);
  const changed = (own: object) =>
    all([{ type: "facts", room: "main", seq: 10, facts: [], gates: [{ ...light, ...own }] }], loaded).data.main.gates.a;
  expect(changed({ status: "approved" })).toEqual(gate("a", { status: "approved", action: { n: 1 }, details: "why" }));
  expect(changed({ digest: "another" })).toMatchObject({ left_out: ["details", "action"] });
  expect(changed({ digest: "another" })).not.toHaveProperty("action");
  const ran = changed({ ran: { at: "2", drift: true }, left_out: ["action", "ran"] });
  expect(ran).toMatchObject({ action: { n: 1 }, ran: { at: "2" }, left_out: ["ran"] });
});
