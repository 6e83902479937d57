import { describe, expect, it } from "vitest";
import { inMemory } from "../setup/stores.ts";
import { head } from "../stage.ts";
import { hello } from "./live/stage.ts";
import { errorOf, type Served, serve } from "./stage.ts";

const { make } = inMemory;
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (s: Served, path: string, token: string, body: string) =>
  s.http(path, { method: "POST", headers: bearer(token), body });

describe("JSON that is nested too deep", () => {
  for (const levels of [80, 6000, 100_000])
    it(`E3: is refused at every entrance, ${levels} levels`, async () => {
      const s = await serve(make);
      const ada = await s.guest("ada");
      const zoe = await s.signIn("zoe");
      const before = await head(s);
      const nested = deep(levels);
      const gate = (action: string) => `{"title":"T","wait_seconds":0,"action":${action}}`;

      for (const body of [nested, gate(nested), `{"x":${nested}}`]) {
        const answer = await post(s, "/api/request_approval", ada.token, body);
        expect([answer.status, errorOf(answer)]).toEqual([
          400,
          expect.objectContaining({ code: "BAD_INPUT", message: expect.stringContaining("nested more than") }),
        ]);
      }
      const signing = await s.http("/session", { method: "POST", body: deep(Math.min(levels, 4000)) });
      expect([signing.status, errorOf(signing).code]).toEqual([400, "BAD_INPUT"]);

      const rpc = (rest: string) => post(s, "/mcp", ada.token, `{"jsonrpc":"2.0","id":1,${rest}}`);
      const calling = `"method":"tools/call","params":{"name":"request_approval"`;
      for (const rest of [
        `${calling},"_meta":{"progressToken":${nested}},"arguments":{}}`,
        `${calling},"x":${nested},"arguments":{}}`,
        `"method":"ping","x":${nested}`,
        `"method":"initialize","params":{"clientInfo":${nested}}`,
      ]) {
        const answer = await rpc(rest);
        expect(answer.status, rest.slice(0, 60)).toBe(400);
        expect(answer.json(), rest.slice(0, 60)).toMatchObject({ id: 1, error: { code: -32600 } });
      }
      expect((await post(s, "/mcp", ada.token, nested)).status).toBe(400);
      expect((await rpc(`${calling},"arguments":${gate(nested)}}`)).json()).toMatchObject({
        id: 1,
        result: { isError: true, structuredContent: { error: { code: "BAD_INPUT" } } },
      });

      const event = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":${nested}}}`;
      const hooked = await post(s, "/hooks/claude-code", ada.token, event);
      expect([hooked.status, hooked.text]).toEqual([200, expect.stringContaining("nested more than")]);
      expect(hooked.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });

      const socket = await hello(s, zoe);
      socket.say(`{"type":"do","id":"d","action":"whoami","args":{"x":${nested}}}`);
      expect(await socket.hears("refused")).toMatchObject({ id: "d", error: { code: "BAD_INPUT" } });
      socket.say(`{"type":"do","id":${nested},"action":"whoami"}`);
      expect(await socket.closed).toBe(4400);
      // Signing in on the command line wrote what there is.
      expect(await head(s)).toBe(before);
    });

  it("E3: hides in no text that is read as an array", async () => {
    const s = await serve(make);
    const zoe = await s.guest("zoe", { role: "approver" });
    for (const hidden of [
      deep(6000),
      `[{"gate_id":"x","decision":"approve","edited_action":${deep(6000)}}]`,
      "[1e999]",
    ])
      expect(
        errorOf(await post(s, "/api/decide_gates", zoe.token, JSON.stringify({ decisions: hidden }))),
      ).toMatchObject({ code: "BAD_INPUT" });
  });

  it("E3: a token of progress is a short string or a whole number", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const call = (progressToken: unknown) =>
      post(
        s,
        "/mcp",
        ada.token,
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { progressToken } } }),
      );
    for (const token of [{}, [], true, null, 0.5, "x".repeat(257)])
      expect((await call(token)).json(), JSON.stringify(token)).toMatchObject({ id: 1, error: { code: -32600 } });
    for (const token of ["", "x".repeat(256), 0, -1])
      expect((await call(token)).json(), JSON.stringify(token)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });
});

describe("a caller who is not known", () => {
  it("E4: is told so whatever the body is, at every entrance", async () => {
    const s = await serve(make);
    for (const body of ["{", deep(100_000), "x".repeat(2 << 20), "{}"]) {
      for (const path of ["/api/whoami", "/mcp"]) {
        const answer = await post(s, path, "parley_wrong", body);
        expect([path, answer.status, errorOf(answer).code]).toEqual([path, 401, "UNAUTHENTICATED"]);
      }
      const hooked = await post(s, "/hooks/claude-code", "parley_wrong", body);
      expect(hooked.text).toContain("No valid credential");
      expect(hooked.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    }
    expect((await s.http("/session", { method: "POST", body: `"${"x".repeat(20_000)}"` })).status).toBe(413);
  });
});
