import { describe, expect, it } from "vitest";
import type { Config } from "../../src/config.ts";
import { inMemory } from "../setup/stores.ts";
import { found } from "../stage.ts";
import { deviceOf, errorOf, type Served, serve } from "./stage.ts";

const { make } = inMemory;
const android =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36";
const linkOf = async (s: Served, person?: string) =>
  (await s.operator.does("make_link", person ? { person } : {})).code as string;
const redeem = (s: Served, body: unknown, headers: Record<string, string> = {}) =>
  s.http("/session", { method: "POST", body, headers });
const me = (s: Served, cookie: string) => s.http("/session", { headers: { cookie } });

describe("/session", () => {
  it("D7: the first person is asked for a name, becomes the owner, and gets cookie and secret", async () => {
    const s = await serve(make);
    const code = await linkOf(s);
    const unnamed = await redeem(s, { code });
    expect([unnamed.status, errorOf(unnamed)]).toEqual([
      409,
      expect.objectContaining({ code: "CONFLICT", need: "name" }),
    ]);
    expect(unnamed.headers).not.toHaveProperty("set-cookie");
    const signed = await redeem(s, { code, name: "zoe" }, { "user-agent": android });
    expect(signed.status).toBe(200);
    expect(signed.json()).toEqual({
      secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      me: { member: "zoe", server_role: "owner", session: expect.any(String), device: "Chrome on Android" },
    });
    const [cookie, ...more] = signed.headers["set-cookie"] as string[];
    expect(more).toEqual([]);
    const [pair, ...attributes] = (cookie ?? "").split("; ");
    expect(pair).toMatch(new RegExp(`^parley_${s.port}=[A-Za-z0-9_-]{43}$`));
    expect(attributes).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "SameSite=Strict"]));
    expect(attributes).not.toContain("Secure");
    expect(cookie).not.toContain("Domain");
    expect(cookie).not.toContain(signed.json().secret as string);
    const seen = await me(s, pair ?? "");
    expect([seen.status, seen.json()]).toEqual([200, { me: signed.json().me }]);
    expect(seen.text).not.toContain(signed.json().secret as string);
  });

  it("D7: behind HTTPS the cookie is Secure and __Host-", async () => {
    const s = await serve(make, { publicUrl: "https://parley.example" });
    const signed = await redeem(s, { code: await linkOf(s), name: "zoe" }, { host: "parley.example" });
    const [cookie] = signed.headers["set-cookie"] as [string];
    expect(cookie).toMatch(/^__Host-parley=/);
    expect(cookie.split("; ")).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Strict"]));
    const proxied = await serve(make, { trustProxy: ["loopback"] });
    const headers = { "x-forwarded-proto": "https" };
    const [other] = (await redeem(proxied, { code: await linkOf(proxied), name: "zoe" }, headers)).headers[
      "set-cookie"
    ] as [string];
    expect(other.split("; ")).toContain("Secure");
  });

  it("D7: a link that was used, is too old, or never was says so", async () => {
    const s = await serve(make);
    const code = await linkOf(s);
    await redeem(s, { code, name: "zoe" });
    const again = await redeem(s, { code, name: "zoe" });
    expect([again.status, errorOf(again).code]).toEqual([409, "EXPIRED"]);
    const old = await linkOf(s);
    s.clock.jump(10 * 60_000);
    expect((await redeem(s, { code: old })).status).toBe(409);
    const never = await redeem(s, { code: "never" });
    expect([never.status, errorOf(never).code]).toEqual([404, "NOT_FOUND"]);
    for (const answer of [again, never]) expect(answer.headers).not.toHaveProperty("set-cookie");
  });

  it("D7: bad input is refused in JSON", async () => {
    const s = await serve(make);
    const code = await linkOf(s);
    for (const body of [
      undefined,
      {},
      { code: 7 },
      { code: "" },
      { code, name: 7 },
      { code, nam: "zoe" },
      [],
      "[1]",
      "null",
      '"x"',
      "7",
    ]) {
      const answer = await redeem(s, body);
      expect([answer.status, errorOf(answer).code], JSON.stringify(body)).toEqual([400, "BAD_INPUT"]);
    }
    for (const name of ["", " ", "a/b", "x".repeat(65), "\u202ezoe"])
      expect((await redeem(s, { code, name })).status, name).toBe(400);
    expect((await redeem(s, "{")).status).toBe(400);
    expect((await redeem(s, JSON.stringify({ code }), { "content-type": "text/plain" })).status).toBe(415);
    expect((await redeem(s, { code, name: "x".repeat(2 << 20) })).status).toBe(413);
    for (const method of ["PUT", "PATCH", "OPTIONS"]) {
      const answer = await s.http("/session", { method });
      expect([answer.status, answer.headers.allow]).toEqual([405, "GET, POST, DELETE"]);
    }
    // The link still works: nothing of this has used it.
    expect((await redeem(s, { code, name: "zoe" })).status).toBe(200);
  });

  it("D7: who is not signed in, or no longer, gets 401", async () => {
    const s = await serve(make);
    const zoe = await s.signIn("zoe");
    const value = zoe.cookie.split("=")[1] ?? "";
    for (const cookie of [
      "",
      "parley=x",
      `parley_${s.port}=`,
      `parley_${s.port}=wrong`,
      `parley_${s.port + 1}=${value}`,
      value,
    ]) {
      const answer = await me(s, cookie);
      expect([answer.status, answer.headers["www-authenticate"]], cookie).toEqual([401, "Bearer"]);
      expect(errorOf(answer).code).toBe("UNAUTHENTICATED");
    }
    expect((await me(s, `other=1; ${zoe.cookie}; more=2`)).status).toBe(200);
  });

  it("D7: signing out needs the secret, ends this session alone, and clears the cookie", async () => {
    const s = await serve(make);
    const phone = await s.signIn("zoe");
    const laptop = await s.signIn("zoe");
    const out = (headers: Record<string, string>, query = "") =>
      s.http(`/session${query}`, { method: "DELETE", headers });
    expect((await out({})).status).toBe(401);
    for (const headers of [
      { cookie: phone.cookie },
      { cookie: phone.cookie, "x-parley-secret": "wrong" },
      { cookie: phone.cookie, "x-parley-secret": laptop.secret },
    ])
      expect((await out(headers)).status).toBe(403);
    const done = await out(phone.headers);
    expect([done.status, done.json()]).toEqual([200, { signed_out: true }]);
    expect(done.headers["set-cookie"]?.[0]).toMatch(new RegExp(`^parley_${s.port}=; Path=/; Expires=Thu, 01 Jan 1970`));
    expect((await me(s, phone.cookie)).status).toBe(401);
    expect((await me(s, laptop.cookie)).status).toBe(200);
    expect((await out(phone.headers)).status).toBe(401);
  });

  it("D7: signing out everywhere ends every session of this person, and of nobody else", async () => {
    const s = await serve(make);
    const phone = await s.signIn("zoe");
    const laptop = await s.signIn("zoe");
    await s.guest("vic", { role: "viewer" });
    const vic = await s.signIn("vic");
    const done = await s.http("/session?all", { method: "DELETE", headers: laptop.headers });
    expect(done.status).toBe(200);
    for (const device of [phone, laptop]) expect((await me(s, device.cookie)).status).toBe(401);
    expect((await me(s, vic.cookie)).status).toBe(200);
  });

  it("D7: a person signs another device in by a link made on this one, and signs it out from here", async () => {
    const s = await serve(make);
    const laptop = await s.signIn("zoe");
    const act = (action: string, args: unknown = {}) =>
      s.http(`/api/${action}`, { method: "POST", headers: laptop.headers, body: args });
    const { code } = (await act("make_link")).json() as { code: string };
    const phone = deviceOf(await redeem(s, { code }, { "user-agent": android }));
    const { devices } = (await act("list_devices")).json() as {
      devices: Array<{ id: string; device: string; current: boolean }>;
    };
    expect(devices.map(({ device, current }) => [device, current]).sort()).toEqual([
      ["Chrome on Android", false],
      ["a browser", true],
    ]);
    const { id } = devices.find(({ current }) => !current) ?? {};
    expect((await act("revoke_device", { id })).status).toBe(200);
    expect((await me(s, phone.cookie)).status).toBe(401);
    expect((await me(s, laptop.cookie)).status).toBe(200);
  });

  it("G18: a removed person's sessions end", async () => {
    const s = await serve(make);
    await s.signIn("zoe");
    await s.guest("vic", { role: "viewer" });
    const vic = await s.signIn("vic");
    await s.operator.does("remove_member", { member: "vic" });
    await found(async () => ((await me(s, vic.cookie)).status === 401 ? true : undefined));
    const late = await s.http("/api/whoami", { method: "POST", headers: vic.headers, body: {} });
    expect(late.status).toBe(401);
  });
});

describe("two servers under one host", () => {
  it("E6: sign nobody out of the other, by path and by port, with and without HTTPS", async () => {
    const cases: Array<[Partial<Config>, Partial<Config>, string, string]> = [
      [{ basePath: "/team" }, { basePath: "/lab" }, "one.example", "one.example"],
      [{ basePath: "/team" }, { basePath: "/team/lab" }, "one.example", "one.example"],
      [{}, { basePath: "/lab" }, "one.example:8080", "one.example:8080"],
      [{}, {}, "one.example:8080", "one.example:8081"],
    ];
    for (const [one, other, oneHost, otherHost] of cases)
      for (const proto of ["http", "https"]) {
        const jar = new Map<string, string>();
        const allowed = { allowedHosts: ["one.example"], trustProxy: ["loopback"] };
        const servers = [
          { s: await serve(make, { ...allowed, ...one }), host: oneHost, name: "zoe" },
          { s: await serve(make, { ...allowed, ...other }), host: otherHost, name: "max" },
        ];
        const headers = (host: string) => ({
          ...{ host, "x-forwarded-proto": proto, "x-forwarded-host": host },
          cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        });
        for (const { s, host, name } of servers) {
          const signed = await redeem(s, { code: await linkOf(s), name }, headers(host));
          const [pair = ""] = String(signed.headers["set-cookie"]).split("; ");
          jar.set(...(pair.split("=") as [string, string]));
        }
        for (const { s, host, name } of servers) {
          const seen = await s.http("/session", { headers: headers(host) });
          expect(seen.json(), `${proto} ${host} ${name}`).toMatchObject({ me: { member: name } });
        }
        for (const { s } of servers) await s.stop();
      }
  });
});
