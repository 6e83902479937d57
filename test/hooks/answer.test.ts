// parley gates and parley answer: a person answers from a shell, with a token of their own.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { digestOf } from "../../src/gates/digest.ts";
import type { Guest } from "../table.ts";
import { openStage, type Ran, type Stage } from "./stage.ts";

let stage: Stage;
let max: Guest;
beforeAll(async () => {
  stage = await openStage();
  max = await stage.guest("max", { role: "approver" });
});
afterAll(() => stage.end());
vi.setConfig({ testTimeout: 180_000 });

const as = (who: Guest, ...words: string[]): Promise<Ran> =>
  stage.parley(words, { env: { PARLEY_TOKEN: who.token } }).over;
const asked = async (title: string, fields: Record<string, unknown> = {}) => {
  const { gate } = await stage.ada.does("request_approval", { title, wait_seconds: 0, ...fields });
  return gate as { id: string; digest?: string };
};
const find = async (id: string) => (await stage.gates()).find((gate) => gate.id === id);

describe("from a shell", { concurrent: true }, () => {
  it("G4: a person sees what waits and approves what was shown, by its digest", async () => {
    const action = { command: ["make", "deploy"], cwd: "/srv" };
    const { id } = await asked("Deploy \u202eyolped", { action, risk: "high", details: "safe\u001b[8m" });
    const list = await as(max, "gates");
    expect(list).toMatchObject({ code: 0, err: "" });
    expect(list.out).toContain(id);
    // A text of an agent neither turns nor hides what stands on the terminal.
    expect(list.out).toContain("Deploy <U+202E>yolped");
    const card = await as(max, "gates", id);
    expect(card.out).toMatch(/"make",\n\s+"deploy"/);
    expect(card.out).toContain(digestOf(action));
    expect(card.out).toContain("safe<U+001B>[8m");
    expect(await find(id)).toHaveProperty("seen_at");
    const blind = await as(max, "answer", id, "approve");
    expect(blind).toMatchObject({ code: 64, out: "", err: expect.stringContaining("--digest") });
    const other = await as(max, "answer", id, "approve", "--digest", digestOf({ command: ["rm"] }));
    expect(other.code).toBe(64);
    expect(await find(id)).toMatchObject({ status: "pending" });
    const digits = digestOf(action).slice("sha256:".length, "sha256:".length + 12);
    const done = await as(max, "answer", id, "approve", "--digest", digits, "--note", "go");
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^approved: Deploy <U\+202E>/) });
    expect(await find(id)).toMatchObject({ status: "approved", decided_by: "max", note: "go" });
  });

  it("G4: no agent, and nobody without a token, answers", async () => {
    const { id } = await asked("Mine");
    expect(await as(stage.ada, "answer", id, "approve")).toMatchObject({ code: 77, out: "" });
    const none = await stage.parley(["answer", id, "deny"], { env: { PARLEY_TOKEN: "" } }).over;
    expect(none).toMatchObject({ code: 77, err: expect.stringContaining("set it to your own token") });
    expect(await find(id)).toMatchObject({ status: "pending" });
  });

  it("G2 G9: denies, answers questions, and is told of a second confirmation and of whoever came first", async () => {
    const denied = await asked("No");
    expect(await as(max, "answer", denied.id, "deny", "--note", "not now")).toMatchObject({ code: 0 });
    expect(await find(denied.id)).toMatchObject({ status: "denied", note: "not now" });
    const late = await as(stage.zoe, "answer", denied.id, "approve");
    expect(late).toMatchObject({ code: 64, err: expect.stringMatching(/max/) });
    const question = (await stage.ada.does("wait_for_feedback", { question: "Which?", wait_seconds: 0 })).gate as {
      id: string;
    };
    expect(await as(max, "answer", question.id, "answer", "--text", "blue")).toMatchObject({ code: 0 });
    const critical = await asked("Delete it", { action: { drop: "it" }, risk: "critical" });
    const half = await as(max, "answer", critical.id, "approve", "--digest", digestOf({ drop: "it" }));
    expect(half).toMatchObject({ code: 75, out: expect.stringContaining("A second person has to approve it too") });
    expect(await as(max, "answer", critical.id, "perhaps")).toMatchObject({ code: 64 });
  });
});
