import { expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import { once } from "../../src/keys.ts";
import { Refusal } from "../../src/refusal.ts";
import { eachStore } from "../setup/stores.ts";
import { head, type Stage, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

let made = 0;
const makes = (p: Stage, who: Guest, scope: string, key: string | undefined, digest: string): Promise<Result> =>
  p.table.write(who.caller, "main", (call) =>
    once(call, scope, key, digest, async () => {
      call.fact({ action: "test.made", subject: `test:${++made}` });
      return { n: made };
    }),
  );

eachStore(({ make }) => {
  it("A2: the same key gives the first result again, and does nothing", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const first = await makes(p, ada, "make", "k", "d");
    const before = await head(p);
    expect(await makes(p, ada, "make", "k", "d")).toEqual(first);
    expect(await head(p)).toBe(before);
    const many = await Promise.all(Array.from({ length: 10 }, () => makes(p, ada, "make", "k2", "d")));
    expect(new Set(many.map((result) => result.n)).size).toBe(1);
    expect(await head(p)).toBe(before + 1);
  });

  it("A2: a key is local to the member, the room and the action, and means one thing", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob");
    const seen = new Set<unknown>();
    for (const [who, scope] of [
      [ada, "make"],
      [bob, "make"],
      [ada, "break"],
    ] as const)
      seen.add((await makes(p, who, scope, "k", "d")).n);
    for (const _ of [1, 2]) seen.add((await makes(p, ada, "make", undefined, "d")).n);
    expect(seen.size).toBe(5);
    await expect(makes(p, ada, "make", "k", "other")).rejects.toMatchObject({ code: "KEY_REUSED", status: 409 });
  });

  it("A2: a refused call does not use its key up", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const refused = p.table.write(ada.caller, "main", (call) =>
      once(call, "make", "k", "d", async () => {
        throw new Refusal("CONFLICT", "Not now.");
      }),
    );
    await expect(refused).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await makes(p, ada, "make", "k", "other")).toHaveProperty("n");
  });
});
