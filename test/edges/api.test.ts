import { describe, expect, it } from "vitest";
import { inMemory } from "../setup/stores.ts";
import { ask, found, gateOf, head, listening, look } from "../stage.ts";
import { errorOf, serve } from "./stage.ts";

const { make } = inMemory;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("POST /api", () => {
  it("M1: performs an action as the holder of the token, JSON in, JSON out", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const answer = await s.api(ada.token, "whoami");
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ member: "ada", kind: "agent", rooms: [{ room: "main", role: "worker" }] });
    // Without a body, with an empty one, and with null there are no arguments.
    for (const body of [undefined, "", "null", "{}"])
      expect((await s.http("/api/whoami", { method: "POST", headers: bearer(ada.token), body })).status).toBe(200);
  });

  it("M1: answers 401 with WWW-Authenticate to who is not known", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const tries: Array<Record<string, string>> = [
      {},
      { authorization: "Bearer" },
      { authorization: "Bearer wrong" },
      { authorization: `Basic ${Buffer.from(`ada:${ada.token}`).toString("base64")}` },
      { authorization: ada.token },
      { authorization: `Bearer ${ada.token} more` },
      { cookie: `parley_${s.port}=${ada.token}` },
      { "x-parley-secret": ada.token },
    ];
    for (const headers of tries)
      for (const action of ["whoami", "decide_gate", "no_such_action"]) {
        const answer = await s.http(`/api/${action}`, { method: "POST", headers, body: {} });
        expect(answer.status, JSON.stringify(headers)).toBe(401);
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
        expect(errorOf(answer).code).toBe("UNAUTHENTICATED");
        expect(answer.text).not.toContain(ada.token);
      }
    expect((await s.http(`/api/whoami?token=${ada.token}`, { method: "POST", body: {} })).status).toBe(401);
  });

  it("M1: every refusal has its status and says the same in JSON", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const zoe = await s.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "wait_for_feedback", { question: "Which?" });
    const cases: Array<[string, string, Record<string, unknown>, number, string]> = [
      [ada.token, "get_gate", {}, 400, "BAD_INPUT"],
      [ada.token, "decide_gate", {}, 403, "FORBIDDEN"],
      [ada.token, "get_gate", { gate_id: "none" }, 404, "NOT_FOUND"],
      [ada.token, "no_such_action", {}, 404, "NOT_FOUND"],
      [zoe.token, "decide_gate", { gate_id: gate.id, decision: "approve" }, 422, "BAD_INPUT"],
      [zoe.token, "add_member", { name: "ADA" }, 409, "CONFLICT"],
    ];
    for (const [token, action, args, status, code] of cases) {
      const answer = await s.api(token, action, args);
      expect([answer.status, errorOf(answer).code], `${action} ${JSON.stringify(args)}`).toEqual([status, code]);
      expect(errorOf(answer).message.length).toBeGreaterThan(10);
    }
  });

  it("G4: a GET changes nothing; other methods than POST are 405 with Allow, for every name", async () => {
    const s = await serve(make);
    const zoe = await s.guest("zoe", { role: "approver" });
    const gate = await ask(await s.guest("ada"), "request_approval", { title: "T" });
    const before = await head(s);
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const path of [`/api/decide_gate?gate_id=${gate.id}&decision=approve`, "/api/whoami", "/api/nothing"]) {
        const answer = await s.http(path, { method, headers: bearer(zoe.token) });
        expect(answer.status, `${method} ${path}`).toBe(405);
        expect(answer.headers.allow).toBe("POST");
        if (method !== "HEAD") expect(errorOf(answer).code).toBe("BAD_INPUT");
      }
    expect(await head(s)).toBe(before);
  });

  it("M1: a body that is too big, no JSON, or of another type is refused in JSON, and changes nothing", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const before = await head(s);
    const post = (body: string, headers: Record<string, string> = {}) =>
      s.http("/api/request_approval", { method: "POST", headers: { ...bearer(ada.token), ...headers }, body });
    const big = await post(JSON.stringify({ title: "T", action: "x".repeat(2 << 20) }));
    expect(big.status).toBe(413);
    expect(errorOf(big)).toMatchObject({ code: "TOO_LONG", message: expect.stringContaining("1 MiB") });
    for (const body of ["{", "{'title': 'T'}", "title=T", "\u0000", '{"title": "T"', "undefined"]) {
      const answer = await post(body);
      expect(answer.status, body).toBe(400);
      expect(errorOf(answer).code).toBe("BAD_INPUT");
    }
    for (const body of ["[]", '"text"', "7", "true"]) {
      const answer = await post(body);
      expect([answer.status, errorOf(answer).code], body).toEqual([400, "BAD_INPUT"]);
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json", "x"]) {
      const answer = await post('{"title": "T", "wait_seconds": 0}', { "content-type": type });
      expect([answer.status, errorOf(answer).code], type).toEqual([415, "BAD_INPUT"]);
    }
    const latin = await post('{"title": "T", "wait_seconds": 0}', {
      "content-type": "application/json; charset=iso-8859-1",
    });
    expect([latin.status, errorOf(latin).code]).toEqual([415, "BAD_INPUT"]);
    expect(await head(s)).toBe(before);
    expect(
      (await post('{"title": "T", "wait_seconds": 0}', { "content-type": "application/json; charset=utf-8" })).status,
    ).toBe(200);
  });

  it("M1: nothing below /api is ever HTML", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    for (const path of ["/api", "/api/", "/api/whoami/more", "/api/%E0%A4%A", "/api/..%2f", "/api/%00", "/API/nothing"])
      for (const method of ["GET", "POST"]) {
        const answer = await s.http(path, { method, headers: bearer(ada.token) });
        expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
        expect(answer.status, `${method} ${path}`).toBeLessThan(500);
        expect(errorOf(answer).message.length).toBeGreaterThan(10);
        expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      }
  });

  it("D7: the cookie alone only reads; every change needs the session's secret", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    const ada = await s.guest("ada");
    const gate = await ask(ada, "request_approval", { title: "T" });
    const post = (action: string, args: Record<string, unknown>, headers: Record<string, string>) =>
      s.http(`/api/${action}`, { method: "POST", headers, body: args });
    const { cookie } = zoe;
    const decide = { gate_id: gate.id, decision: "approve" };
    for (const [action, args] of [
      ["whoami", {}],
      ["list_gates", {}],
      ["get_gate", { gate_id: gate.id }],
      ["list_members", {}],
      ["list_facts", {}],
      ["list_devices", {}],
    ] as const)
      expect((await post(action, args, { cookie })).status, action).toBe(200);
    const before = [await head(s), await head(s, "_server")];
    const changes: Array<[string, Record<string, unknown>]> = [
      ["decide_gate", decide],
      ["see_gate", { gate_id: gate.id }],
      ["stop_all", {}],
      ["kick", { member: "ada" }],
      ["make_link", {}],
      ["issue_token", { member: "ada" }],
      ["acknowledge_notices", { seq: 1 }],
      ["request_approval", { title: "T" }],
      ["wait_for_gate", { gate_id: gate.id, wait_seconds: 0 }],
    ];
    for (const [action, args] of changes)
      for (const headers of [
        { cookie },
        { cookie, "x-parley-secret": "" },
        { cookie, "x-parley-secret": "wrong" },
        { cookie, "x-parley-secret": cookie.split("=")[1] ?? "" },
      ])
        expect((await post(action, args, headers)).status, action).toBe(403);
    // Another session's secret is no secret of this one.
    const other = await s.signIn("zoe");
    expect((await post("see_gate", { gate_id: gate.id }, { cookie, "x-parley-secret": other.secret })).status).toBe(
      403,
    );
    expect([await head(s), (await head(s, "_server")) - 2]).toEqual(before);
    const decided = await post("decide_gate", decide, zoe.headers);
    expect(decided.status).toBe(200);
    expect(gateOf(decided.json())).toMatchObject({ status: "approved", decided_by: "zoe", device: "a browser" });
  });

  it("G4: a person's token decides over /api, an agent's never, and a wrong bearer is not mended by a cookie", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    const ada = await s.guest("ada");
    const bob = await s.guest("bob", { role: "approver" });
    const gate = await ask(ada, "request_approval", { title: "T" });
    const decide = { gate_id: gate.id, decision: "approve" };
    expect((await s.api(ada.token, "decide_gate", decide)).status).toBe(403);
    const mixed = await s.http("/api/decide_gate", {
      method: "POST",
      headers: { ...zoe.headers, ...bearer(ada.token) },
      body: decide,
    });
    expect(mixed.status).toBe(403);
    const wrong = { ...zoe.headers, ...bearer("wrong") };
    expect((await s.http("/api/whoami", { method: "POST", headers: wrong, body: {} })).status).toBe(401);
    expect((await s.api(bob.token, "decide_gate", decide)).status).toBe(200);
    const late = await s.http("/api/decide_gate", {
      method: "POST",
      headers: zoe.headers,
      body: { ...decide, decision: "deny" },
    });
    expect(late.status).toBe(409);
    expect(errorOf(late)).toMatchObject({
      code: "ALREADY_DECIDED",
      decided_by: "bob",
      gate_status: "approved",
      device: "first",
    });
  });

  it("G6: a call that is dropped leaves its gate pending, and its answer comes with the next call", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const zoe = await s.guest("zoe", { role: "approver" });
    const gone = new AbortController();
    const dropped = fetch(`${s.url}/api/request_approval`, {
      method: "POST",
      signal: gone.signal,
      headers: { ...bearer(ada.token), "content-type": "application/json" },
      body: JSON.stringify({ title: "Deploy" }),
    });
    await listening(s, 2);
    gone.abort();
    await expect(dropped).rejects.toThrow();
    await found(() => (s.table.ring.size() === 0 ? true : undefined));
    const [gate] = (await zoe.does("list_gates")).gates as [{ id: string }];
    await found(async () => ((await look(zoe, gate)).waiting_now === false ? true : undefined));
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    const told = (await s.api(ada.token, "list_members")).json();
    expect(told.inbox).toMatchObject({ answered_gates: [{ id: gate.id, status: "approved" }] });
    expect((await s.api(ada.token, "list_members")).json()).not.toHaveProperty("inbox");
  });

  it("G18: revoking a token ends a call that waits", async () => {
    const s = await serve(make);
    const ada = await s.guest("ada");
    const { tokens } = await s.operator.does("list_tokens", { member: "ada" });
    const waits = s.api(ada.token, "request_approval", { title: "Deploy" });
    await listening(s, 2);
    await s.operator.does("revoke_token", { token_id: (tokens as [{ id: string }])[0].id });
    expect((await waits).status).toBe(401);
    expect((await s.api(ada.token, "whoami")).status).toBe(401);
  });
});
