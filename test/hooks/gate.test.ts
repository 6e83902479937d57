// parley gate as a real process: what it runs, when, and with which code it ends. A file proves what ran.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pause } from "../processes/parley.ts";
import { command, type Json, openStage, run, type Stage } from "./stage.ts";

// Processes on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

let used = 0;
const name = () => `gate-${String(++used).padStart(3, "0")}`;
const made = (file: string) => existsSync(join(stage.folder, file));
const gate = (words: readonly string[], own: { env?: Json; input?: string } = {}) =>
  stage.parley(["gate", ...words], { cwd: stage.folder, ...own });
const sh = (script: string) => ["--", "/bin/sh", "-c", script];
const find = async (about: string) => (await stage.gates()).find(({ title }) => title.includes(about));

describe("decisions", { concurrent: true }, () => {
  it("G7: approved, it runs the very command, hands on what it says, and ends with its code", async () => {
    const file = name();
    const words = [`a b`, `$HOME`, `*`, `'"`, `é`];
    const script = `const fs = require("fs"); fs.writeFileSync("${file}", JSON.stringify(process.argv.slice(1))); console.log("out"); console.error("err"); process.exit(7)`;
    const { over } = gate(["--title", file, "--", process.execPath, "-e", script, ...words]);
    const asked = await stage.asked(file);
    expect(asked).toMatchObject({
      asked_by: "ada",
      risk: "medium",
      action: { command: [process.execPath, "-e", script, ...words], cwd: stage.folder },
    });
    expect(made(file)).toBe(false);
    await stage.answers(file, { decision: "approve" });
    expect(await over).toEqual({ code: 7, out: "out\n", err: "err\n" });
    expect(JSON.parse(readFileSync(join(stage.folder, file), "utf8"))).toEqual(words);
    expect(await find(file)).toMatchObject({ ran: { drift: false } });
  });

  it("G7: edited, it runs what the person has made of it, where the person says", async () => {
    const [file, other] = [name(), name()];
    const { over } = gate(["--title", file, ...sh(`touch ${file}`)]);
    await stage.asked(file);
    const command = ["/bin/sh", "-c", `pwd; touch ${join(stage.folder, other)}`];
    await stage.answers(file, { decision: "approve", edited_action: { command, cwd: "/" } });
    expect(await over).toEqual({ code: 0, out: "/\n", err: "" });
    expect([made(file), made(other)]).toEqual([false, true]);
  });

  it("G7: into something that is no command it cannot be edited", async () => {
    const file = name();
    const { over } = gate(["--title", file, ...sh(`touch ${file}`)]);
    const { id } = await stage.asked(file);
    const strange = ["touch x", { command: "touch x", cwd: "/" }, { command: [], cwd: "/" }, { command: ["true"] }];
    for (const edited_action of [...strange, { command: ["true"], cwd: "/", env: {} }, { command: [""], cwd: "/" }])
      expect(await stage.zoe.refused("decide_gate", { gate_id: id, decision: "approve", edited_action })).toMatchObject(
        {
          code: "BAD_INPUT",
          status: 422,
        },
      );
    expect(await find(file)).toMatchObject({ status: "pending" });
    await stage.answers(file, { decision: "approve", edited_action: { command: ["false"], cwd: "/" } });
    expect((await over).code).toBe(1);
    expect(made(file)).toBe(false);
  });

  it("denied is 77 and tells why; the same again is denied without asking", async () => {
    const file = name();
    const command = ["--title", file, ...sh(`touch ${file}`)];
    const { over } = gate(command);
    await stage.answers(file, { decision: "deny", note: "Freeze until Monday" });
    expect(await over).toMatchObject({ code: 77, err: expect.stringContaining("zoe denied it: Freeze until Monday") });
    expect(await gate(command).over).toMatchObject({ code: 77, err: expect.stringContaining("Freeze until Monday") });
    expect(made(file)).toBe(false);
  });

  it("G3: expired is 75", async () => {
    const file = name();
    expect(await gate(["--title", file, "--timeout", "1", ...sh(`touch ${file}`)]).over).toMatchObject({
      code: 75,
      out: "",
    });
    expect(await find(file)).toMatchObject({ status: "expired" });
    expect(made(file)).toBe(false);
  });

  it("withdrawn by others is 75: nobody has said no", async () => {
    const file = name();
    const { over } = gate(["--title", file, ...sh(`touch ${file}`)]);
    const { id } = await stage.asked(file);
    await stage.ada.does("withdraw_gate", { gate_id: id, reason: "the task was cancelled" });
    expect(await over).toMatchObject({ code: 75, err: expect.stringContaining("the task was cancelled") });
    expect(made(file)).toBe(false);
  });

  it("unreachable is 69, a token or address that is wrong or missing 78, nonsense 64: nothing runs", async () => {
    const olaf = await stage.guest("olaf", { role: "observer" });
    const cases: Array<[number, string[], Json]> = [
      [69, [], { PARLEY_URL: stage.nowhere }],
      [78, [], { PARLEY_TOKEN: "parley_wrong" }],
      [78, [], { PARLEY_TOKEN: "wrong\nparley" }],
      [78, [], { PARLEY_TOKEN: "" }],
      [78, [], { PARLEY_TOKEN: olaf.token }],
      [78, [], { PARLEY_URL: "ftp://x" }],
      [78, ["--room", "nowhere"], {}],
      [64, ["--risk", "dreadful"], {}],
      [64, ["--timeout", "0"], {}],
      [64, ["--timeout", "604801"], {}],
    ];
    await Promise.all(
      cases.map(async ([code, words, env]) => {
        const file = name();
        const ran = await gate([...words, ...sh(`touch ${file}`)], { env }).over;
        expect([ran.code, ran.out, made(file)], ran.err).toEqual([code, "", false]);
        expect(ran.err).toMatch(/\w/);
      }),
    );
    expect((await gate([]).over).code).toBe(64);
  });

  it("G18: a token that ends while it waits is 78, and its card stays for whoever asks next", async () => {
    const eve = await stage.guest("eve");
    const file = name();
    const { over } = gate(["--title", file, ...sh(`touch ${file}`)], { env: { PARLEY_TOKEN: eve.token } });
    await stage.asked(file);
    const { tokens } = (await stage.operator.does("list_tokens", { member: "eve" })) as { tokens: Json[] };
    await stage.operator.does("revoke_token", { token_id: tokens[0]?.id });
    expect((await over).code).toBe(78);
    expect([made(file), (await find(file))?.status]).toEqual([false, "pending"]);
  });

  it("G17: stopped is a person's no: 77", async () => {
    await stage.operator.does("create_room", { room: "lab" });
    const fay = await stage.guest("fay", { room: "lab" });
    await stage.operator.does("stop_all", { room: "lab" });
    const file = name();
    const ran = await gate(["--title", file, ...sh(`touch ${file}`)], { env: { PARLEY_TOKEN: fay.token } }).over;
    expect([ran.code, made(file)], ran.err).toEqual([77, false]);
  });

  it("what cannot be started is 127, what cannot be run is 126", async () => {
    const plain = join(stage.folder, name());
    await writeFile(plain, "no program");
    const cases = [
      [name(), "there-is-no-such-program", 127],
      [name(), plain, 126],
    ] as const;
    await Promise.all(
      cases.map(async ([title, file, code]) => {
        const { over } = gate(["--title", title, "--", file]);
        await stage.answers(title, { decision: "approve" });
        expect(await over).toMatchObject({ code, err: expect.stringContaining("cannot be run") });
      }),
    );
  });

  it("G7 G10: hands standard input on only with --stdin-ok, and the action says so", async () => {
    const [shut, open] = [name(), name()];
    const [a, b] = [
      gate(["--title", shut, "--", "cat"], { input: "secret" }),
      gate(["--stdin-ok", "--title", open, "--", "cat"], { input: "for the command" }),
    ];
    const [closed, fed] = [await stage.asked(shut), await stage.asked(open)];
    expect(closed.action).toEqual({ command: ["cat"], cwd: stage.folder });
    expect(fed.action).toEqual({ command: ["cat"], cwd: stage.folder, stdin: true });
    for (const title of [shut, open]) await stage.answers(title, { decision: "approve" });
    expect(await a.over).toMatchObject({ code: 0, out: "" });
    expect(await b.over).toMatchObject({ code: 0, out: "for the command" });
    expect(await find(open)).toMatchObject({ ran: { drift: false } });
    // Who approves it without gets it without.
    const without = name();
    const { over } = gate(["--stdin-ok", "--title", without, "--", "cat"], { input: "secret" });
    const edited_action = { command: ["cat"], cwd: stage.folder };
    await stage.answers(without, { decision: "approve", edited_action });
    expect(await over).toMatchObject({ code: 0, out: "" });
  });

  it("a folder that is not there is named, and nothing runs: 126", async () => {
    const title = name();
    const { over } = gate(["--title", title, "--", "true"]);
    const nowhere = join(stage.folder, "nowhere");
    await stage.answers(title, { decision: "approve", edited_action: { command: ["true"], cwd: nowhere } });
    expect(await over).toMatchObject({ code: 126, err: expect.stringContaining(`there is no folder ${nowhere}`) });
  });

  it("called in a folder that is gone meanwhile it says so, and asks nobody: 126", async () => {
    const title = name();
    const gone = join(stage.folder, title);
    const line = `mkdir "${gone}" && cd "${gone}" && rmdir "${gone}" && exec "$@"`;
    const words = ["-c", line, "sh", ...command, "gate", "--title", title, "--", "true"];
    const { over } = run("/bin/sh", words, { env: { PARLEY_URL: stage.url, PARLEY_TOKEN: stage.ada.token } });
    expect(await over).toMatchObject({ code: 126, err: expect.stringContaining("is not there any more") });
    expect(await find(title)).toBeUndefined();
  });

  it("critical asks for two", async () => {
    const file = name();
    const { over } = gate(["--risk", "critical", "--title", file, ...sh(`touch ${file}`)]);
    expect(await stage.asked(file)).toMatchObject({ risk: "critical", approvals_needed: 2 });
    await stage.answers(file, { decision: "approve" });
    await pause(300);
    expect(made(file)).toBe(false);
    await stage.answers(file, { decision: "deny" });
    expect((await over).code).toBe(77);
  });
});

describe("signals", { concurrent: true }, () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s while it waits withdraws the gate and ends with %i", async (signal, code) => {
    const file = name();
    const { child, over } = gate(["--title", file, ...sh(`touch ${file}`)]);
    const { id } = await stage.asked(file);
    child.kill(signal);
    expect((await over).code).toBe(code);
    expect(await find(file)).toMatchObject({ id, status: "withdrawn" });
    expect(made(file)).toBe(false);
  });

  it("while the command runs they go to it, and its end is the end", async () => {
    const file = name();
    const script = `trap 'echo got; exit 9' TERM; echo up; touch ${file}; while :; do sleep 0.05; done`;
    const { child, over } = gate(["--title", file, ...sh(script)]);
    await stage.answers(file, { decision: "approve" });
    while (!made(file)) await pause(20);
    child.kill("SIGTERM");
    expect(await over).toMatchObject({ code: 9, out: "up\ngot\n" });
  });

  it("a command that dies of a signal ends it with 128 and the number", async () => {
    const file = name();
    const { over } = gate(["--title", file, ...sh("kill -KILL $$")]);
    await stage.answers(file, { decision: "approve" });
    expect((await over).code).toBe(137);
  });
});

it("G16: it waits through a restart of the server, with one card", async () => {
  const file = name();
  const { over } = gate(["--title", file, ...sh(`touch ${file}`)]);
  const { id } = await stage.asked(file);
  await stage.die();
  await pause(1500);
  expect(made(file)).toBe(false);
  await stage.rise();
  expect((await stage.answers(file, { decision: "approve" })).id).toBe(id);
  expect((await over).code).toBe(0);
  expect(made(file)).toBe(true);
  expect((await stage.gates()).filter(({ title }) => title === file)).toHaveLength(1);
});

it("a server that stays away until the deadline is 69, and nothing runs", async () => {
  const file = name();
  const { over } = gate(["--title", file, "--timeout", "2", ...sh(`touch ${file}`)]);
  await stage.asked(file);
  await stage.die();
  expect(await over).toMatchObject({ code: 69, err: expect.stringContaining("cannot be reached") });
  await stage.rise();
  expect(made(file)).toBe(false);
});

it("G6: what waits in the agent's inbox is left for the agent", async () => {
  const { gate: question } = (await stage.ada.does("wait_for_feedback", { question: "Which?", wait_seconds: 0 })) as {
    gate: { id: string };
  };
  await stage.answers("Which?", { decision: "answer", text: "The blue one" });
  const file = name();
  for (const about of [`${file}-a`, `${file}-b`]) {
    const { over } = gate(["--title", about, "--", "true", about]);
    await stage.answers(about, { decision: "approve" });
    expect((await over).code).toBe(0);
  }
  const { inbox } = (await stage.ada.does("whoami")) as { inbox?: { answered_gates: unknown[] } };
  expect(inbox?.answered_gates).toEqual([expect.objectContaining({ id: question.id, text: "The blue one" })]);
});

it("another program at that address is not Parley", async () => {
  const file = name();
  const server = run(process.execPath, [
    "-e",
    `require("http").createServer((q, s) => s.end('{"gate":{"id":"x","status":"approved"}}')).listen(0, "127.0.0.1", function () { console.log(this.address().port) })`,
  ]);
  const port = await new Promise((resolve) =>
    server.child.stdout?.once("data", (text) => resolve(String(text).trim())),
  );
  const ran = await gate(["--", "touch", file], { env: { PARLEY_URL: `http://127.0.0.1:${port}` } }).over;
  server.child.kill();
  expect([ran.code, made(file)]).toEqual([65, false]);
});
