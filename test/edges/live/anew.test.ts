// A room that is made anew under its name while somebody watches it, as `parley seed` does from another process.
import { join } from "node:path";
import { expect, it } from "vitest";
import { seed } from "../../../seed.ts";
import { root } from "../../../src/package.ts";
import { openStore } from "../../../src/store/open.ts";
import { inFile } from "../../setup/stores.ts";
import { found } from "../../stage.ts";
import { report, settings } from "../../table.ts";
import { serve } from "../stage.ts";
import { hello, type Message } from "./stage.ts";

const { merge, nothing } = await import(join(root, "public/live/state.js"));
const idsOf = (message: Message) => (message.snapshot as { gates: { id: string }[] }).gates.map(({ id }) => id).sort();

it("E10: a dashboard gets a room that was made anew whole, and forgets the cards of the old one", async () => {
  const s = await serve(inFile.make);
  const other = await openStore(s.fresh.where);
  const again = (later: number) => seed(other, settings, report, s.clock.now() + later);
  try {
    await again(0);
    const robin = await s.signIn("robin");
    const socket = await hello(s, robin, { watch: "billing" });
    const before = idsOf(await socket.hears("room"));
    expect(before.length).toBeGreaterThan(0);
    await again(60_000);
    const anew = await found(() => socket.heard.filter(({ type }) => type === "room")[1]);
    expect(anew).toMatchObject({ room: "billing", anew: true });
    expect(idsOf(anew).filter((id) => before.includes(id))).toEqual([]);
    const page = socket.parts.reduce((app, message) => merge(app, message, 0), nothing);
    const shown = Object.keys(page.data.billing.gates);
    for (const id of before) expect(shown).not.toContain(id);
    await socket.close();
  } finally {
    await other.close();
  }
});
