// The command line as its users run it: results on stdout alone, what went wrong on stderr, exit codes of sysexits.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openPlace, type Place, type Ran } from "../processes/parley.ts";

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.remove());

const json = ({ code, out, err }: Ran) => {
  expect([code, err]).toEqual([0, ""]);
  expect(out.trimEnd()).not.toContain("\n");
  return JSON.parse(out) as Record<string, unknown>;
};
/** It failed with this code, said one thing on stderr, and gave no result. */
const failed = ({ code, out, err }: Ran, wanted: number, said: RegExp) => {
  expect([code, out, err]).toEqual([wanted, "", expect.stringMatching(said)]);
  expect(err).not.toMatch(/\n\s+at /);
};

// A process takes its time on a machine that has other things to do.
vi.setConfig({ testTimeout: 180_000 });

/** One after the other, on one store. */
describe.sequential("parley", () => {
  it("M1: member add makes an agent and shows its token once; --json is one line", async () => {
    const ada = await place.run([
      "member",
      "add",
      "ada",
      "--json",
      "--skills",
      "rust, sql",
      "--context-tokens",
      "9000",
    ]);
    expect(json(ada)).toEqual({ member: "ada", token: expect.stringMatching(/^parley_[A-Za-z0-9_-]{43}$/) });
    const plain = await place.run(["member", "add", "lea", "--role", "lead"]);
    expect([plain.code, plain.err]).toEqual([0, ""]);
    expect(plain.out).toMatch(/^lea is lead in main\..*\nparley_[A-Za-z0-9_-]{43}\n$/);
    const folder = await stat(dirname(place.store));
    const file = await stat(place.store);
    expect([folder.mode & 0o777, file.mode & 0o777]).toEqual([0o700, 0o600]);
    expect(json(await place.run(["member", "list", "--json"]))).toMatchObject([
      { name: "ada", kind: "agent", role: "worker", skills: ["rust", "sql"], context_tokens: 9000 },
      { name: "lea", role: "lead" },
    ]);
  });

  it("M1: what cannot be added is refused in one sentence", async () => {
    failed(await place.run(["member", "add", "ADA", "--json"]), 64, /^parley: ADA looks like ada/);
    failed(await place.run(["member", "add", "bob", "--room", "nowhere"]), 64, /^parley: .*nowhere/);
    failed(await place.run(["member", "add", "bob", "--context-tokens", "many"]), 64, /whole number/);
  });

  it("M1: token issue, list and revoke: the token itself is shown once, never in a list", async () => {
    const { token } = json(await place.run(["token", "issue", "ada", "--label", "laptop", "--json"]));
    const listed = await place.run(["token", "list", "ada", "--json"]);
    expect(listed.out).not.toContain(String(token).slice("parley_".length));
    const tokens = json(listed) as unknown as Array<{ id: string; label: string }>;
    expect(tokens.map(({ label }) => label)).toEqual(["first", "laptop"]);
    const revoked = await place.run(["token", "revoke", String(tokens[1]?.id)]);
    expect(revoked).toEqual({ code: 0, out: `Token ${tokens[1]?.id} no longer works.\n`, err: "" });
    const [, first, laptop] = (await place.run(["token", "list", "ada"])).out.split("\n");
    expect([first, laptop]).toEqual([
      expect.not.stringContaining("revoked"),
      expect.stringMatching(/laptop .*revoked$/),
    ]);
    failed(await place.run(["token", "revoke", "none"]), 64, /^parley: There is no token/);
  });

  it("D7: link makes a one-time link whose code stands behind #", async () => {
    expect(json(await place.run(["link", "--json"]))).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4747\/#link=[A-Za-z0-9_-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
      person: null,
    });
    for (const name of ["zoe", "vic"]) await place.run(["member", "add", name, "--person"]);
    failed(await place.run(["link"]), 64, /^parley: Say for whom: --person NAME, one of vic, zoe/);
    const away = await place.run(["link", "--person", "zoe"], { PARLEY_PUBLIC_URL: "https://parley.example/team/" });
    expect(away).toEqual({
      code: 0,
      out: expect.stringMatching(/^https:\/\/parley\.example\/team\/#link=\S+\n$/),
      err: "",
    });
  });

  it("M3: a room is added, and who is known is brought into it with the token it has", async () => {
    expect((await place.run(["room", "add", "lab", "--title", "The lab", "--open"])).code).toBe(0);
    const brought = await place.run(["member", "add", "ada", "--room", "lab"]);
    expect([brought.code, brought.out]).toEqual([0, expect.stringMatching(/^ada is worker in lab\..*\n$/)]);
    failed(await place.run(["member", "list", "--room", "nowhere"]), 64, /^parley: There is no room called nowhere/);
  });

  it("A2: audit verify tells each room's log sound; a doctored one is named, with exit code 65", async () => {
    const sound = await place.run(["audit", "verify"]);
    expect([sound.code, sound.err]).toEqual([0, ""]);
    const told = sound.out.split("\n").map((line) => line.replace(/\d+ facts/, "n facts").replace(/[0-9a-f]{64}/, "h"));
    expect(told).toEqual(["_server", "lab", "main"].map((room) => `${room}: n facts, sound, head h`).concat(""));
    const db = new Database(place.store);
    db.exec("drop trigger log_no_update; update log set member = 'zoe' where room = 'main' and seq = 2");
    db.close();
    const broken = await place.run(["audit", "verify"]);
    expect(broken.code).toBe(65);
    expect(broken.out).toContain("main: BROKEN at fact 2: it was altered\n");
    expect(broken.out).toMatch(/^lab: \d+ facts, sound/m);
  });

  it("ends with 64 for what it does not know, and gives help when asked", async () => {
    failed(await place.run(["member", "add", "eve", "--admin"]), 64, /unknown option '--admin'/);
    failed(await place.run(["dance"]), 64, /unknown command 'dance'/);
    const help = await place.run(["--help"]);
    expect([help.code, help.err]).toEqual([0, ""]);
    for (const word of ["serve", "stdio", "link", "member", "token", "audit"]) expect(help.out).toContain(word);
  });

  it("names a variable that it cannot use, with exit code 78", async () => {
    failed(await place.run(["link"], { PARLEY_PORT: "many" }), 78, /^parley: PARLEY_PORT is not usable: /);
    failed(await place.run(["serve"], { PARLEY_TRUST_PROXY: "nonsense" }), 78, /^parley: PARLEY_TRUST_PROXY /);
  });

  it("G4: stdio never acts for a person by its name", async () => {
    failed(await place.run(["stdio", "--as", "zoe"]), 77, /^parley: .*never acts for a person/);
    failed(
      await place.run(["stdio"], { PARLEY_TOKEN: "wrong" }),
      77,
      /^parley: .* not known in the store .*parley\.db/,
    );
  });

  it("A5: stdio makes no store, and says which one it looked for", async () => {
    const nowhere = {
      PARLEY_STORE: `${place.store}.not-there`,
      PARLEY_TOKEN: "x",
      PARLEY_URL: "http://127.0.0.1:4747",
    };
    failed(
      await place.run(["stdio"], nowhere),
      64,
      /^parley: There is no store at .*not-there\. parley stdio opens the store itself and does not use PARLEY_URL\. Set PARLEY_STORE to the server's store, or start/,
    );
    await expect(stat(nowhere.PARLEY_STORE)).rejects.toThrow("ENOENT");
  });
});
