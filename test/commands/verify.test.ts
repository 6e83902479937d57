// parley verify as scripts use it: its exit code is the answer, and what it says is plain.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openPlace, type Place, type Ran, type Server } from "../processes/parley.ts";

// A process takes its time on a machine that has other things to do.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let place: Place;
let server: Server;
let ada: string;
let zoe: string;
beforeAll(async () => {
  place = await openPlace();
  server = await place.serve();
  [ada, zoe] = [await place.member("ada"), await place.member("zoe", "--person")];
});
afterAll(() => place.remove());

async function approved(command: string[], own: object = {}): Promise<{ id: string; receipt: string }> {
  const asked = { title: "Deploy", action: { command, cwd: "/srv" }, wait_seconds: 0, ...own };
  const { body } = await server.api(ada, "request_approval", asked);
  return (await server.api(zoe, "decide_gate", { gate_id: body.gate.id, decision: "approve" })).body.gate;
}

const file = async (name: string, text: string): Promise<string> => {
  const path = join(place.folder, name);
  await writeFile(path, text);
  return path;
};

const refused = ({ code, out, err }: Ran, wanted: number, said: string) =>
  expect([code, out, err]).toEqual([wanted, "", `parley: ${said}\n`]);

it("G7 G17: with the store at hand a receipt counts as long as its gate stands behind it", async () => {
  const { id, receipt } = await approved(["make", "deploy"]);
  const right = await file("action.json", '{"cwd": "/srv", "command": ["make", "deploy"]}');
  expect(await place.run(["verify", receipt, "--action", right])).toMatchObject({ code: 0, err: "" });
  const key = await file("key.json", (await place.run(["verify", "--print-key"])).out);
  await server.api(zoe, "recall_gate", { gate_id: id });
  refused(await place.run(["verify", receipt]), 65, "this receipt is not good: its approval was taken back.");
  refused(
    await place.run(["verify", receipt, "--consume", "--key", key]),
    65,
    "this receipt is not good: its approval was taken back.",
  );
  // With the key alone nobody can know.
  expect((await place.run(["verify", receipt, "--key", key])).code).toBe(0);
});

it("G7: what cannot be checked is said in a sentence: no file is 66, what is none of it 65", async () => {
  const { receipt } = await approved(["make", "all"]);
  const nowhere = join(place.folder, "nowhere.json");
  const rubbish = await file("rubbish.json", "{not json");
  const other = await file("other.json", '{"a": 1}');
  for (const words of ["rubbish", "a.b.c", receipt.slice(0, receipt.indexOf("."))])
    refused(await place.run(["verify", words]), 65, "this is not a receipt.");
  refused(
    await place.run(["verify", `${receipt.slice(0, -4)}AAAA`]),
    65,
    "this receipt is not good: its signature is not of this key.",
  );
  refused(await place.run(["verify", receipt, "--action", nowhere]), 66, `the action: ${nowhere} is not there.`);
  refused(
    await place.run(["verify", receipt, "--action", place.folder]),
    66,
    `the action: ${place.folder} cannot be read.`,
  );
  refused(await place.run(["verify", receipt, "--action", rubbish]), 65, `the action: ${rubbish} is not JSON.`);
  refused(await place.run(["verify", receipt, "--key", nowhere]), 66, `the public key: ${nowhere} is not there.`);
  refused(await place.run(["verify", receipt, "--key", rubbish]), 65, `the public key: ${rubbish} is not JSON.`);
  refused(await place.run(["verify", receipt, "--key", other]), 65, `the public key: ${other} is none.`);
  refused(
    await place.run(["verify", receipt, "--key", "{rubbish"]),
    65,
    "the public key: what --key says is not JSON.",
  );
});

it("G7: a receipt for one use that was used says so, whether or not it is to be used", async () => {
  const { receipt } = await approved(["make", "once"], { single_use: true });
  expect((await place.run(["verify", receipt])).code).toBe(0);
  expect((await place.run(["verify", receipt, "--consume"])).code).toBe(0);
  for (const more of [[], ["--consume"]])
    refused(await place.run(["verify", receipt, ...more]), 77, "this receipt was used before; ask for a new approval.");
});

it("G7: an action's file that another program would read otherwise is refused with 65", async () => {
  const { receipt } = await approved(["make", "twice"]);
  const path = await file("twice.json", '{"cwd": "/srv", "command": ["evil"], "command": ["make", "twice"]}');
  refused(
    await place.run(["verify", receipt, "--action", path]),
    65,
    `the action: ${path} has the key "command" twice.`,
  );
});
