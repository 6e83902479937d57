import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openPlace, type Place } from "../processes/parley.ts";

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.remove());
vi.setConfig({ testTimeout: 180_000 });

it("M6: export prints a conversation with its turns, and says which there are", async () => {
  expect((await place.run(["seed"])).code).toBe(0);
  const none = await place.run(["export", "--room", "billing", "--channel", "nowhere"]);
  expect([none.code, none.out]).toEqual([64, ""]);
  expect(none.err).toMatch(/^parley: There is no floor in channel nowhere; there is one in: /);
  const channel = /there is one in: ([^,.]+)/.exec(none.err)?.[1] ?? "";
  const markdown = await place.run(["export", "--room", "billing", "--channel", channel]);
  expect([markdown.code, markdown.err]).toEqual([0, ""]);
  expect(markdown.out).toMatch(new RegExp(`^# ${channel}\n\n## 1\\. `));
  const lines = (await place.run(["export", "--room", "billing", "--channel", channel, "--format", "jsonl"])).out;
  const kinds = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  expect(kinds).toEqual(expect.arrayContaining(["speech", "turn"]));
});
