// Which floor a call means that names no channel.
import { expect, it } from "vitest";
import { inMemory } from "../setup/stores.ts";
import { stage } from "../stage.ts";

it("a call without a channel means the only floor on which its caller sits, else main", async () => {
  const p = await stage(inMemory.make);
  const lea = await p.guest("lea", { role: "lead" });
  const ada = await p.guest("ada");
  const bob = await p.guest("bob");
  await lea.does("open_floor", { channel: "talk", seats: ["ada", "bob"] });
  expect(await ada.does("request_floor")).toMatchObject({ granted: true });
  expect(await ada.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({ your_turn: true });
  for (const [name, args] of [
    ["floor", {}],
    ["keep_floor", {}],
    ["pass_floor", { to: "bob" }],
  ] as const)
    expect((await ada.does(name, args)).floor, name).toMatchObject({ channel: "talk" });
  expect(await bob.does("say", { text: "Here", then: "pass" })).toMatchObject({ utterance: { speaker: "bob" } });
  expect((await ada.does("conversation")).utterances).toHaveLength(1);

  // Who sits nowhere, and who sits on two, means main.
  expect((await lea.refused("floor")).message).toContain("no floor in channel main");
  await lea.does("open_floor", { seats: ["ada"] });
  expect((await ada.does("floor")).floor).toMatchObject({ channel: "main" });
  expect((await bob.does("floor")).floor).toMatchObject({ channel: "talk" });
  expect((await lea.does("floor")).floor).toMatchObject({ channel: "main" });
  await lea.does("close_floor", { channel: "talk" });
  expect((await bob.does("floor")).floor).toMatchObject({ channel: "main" });
});
