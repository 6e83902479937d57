// A client of the SDK with its own limit for a request waits for its turn again and again on a real server, while
// others, served by another process, hold the floor and pass it. It never misses a turn, and no request runs out.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect } from "vitest";
import { chance } from "../processes/chance.ts";
import { openPlace, pause } from "../processes/parley.ts";

export interface Patience {
  /** How long all of it takes. */
  seconds: number;
  /** The others hold for up to so many seconds. */
  holds: number;
  /** The client's limit for a request; undefined: the SDK's own. */
  limit?: number;
  /** The `wait_seconds` that it asks for; undefined: the server's own. */
  wait?: number;
}

type Heard = { your_turn?: boolean; waiting?: boolean; quiescent?: boolean; turn?: number };

export async function patience({ seconds, holds, limit, wait }: Patience): Promise<void> {
  const place = await openPlace();
  try {
    const [zoe, here, there] = await Promise.all([
      place.member("zoe", "--role", "owner"),
      place.serve(),
      place.serve(),
    ]);
    const names = ["wes", "bob", "cyd", "dan"];
    const [wes = "", ...tokens] = await here.add(zoe, names);
    const opened = await here.api(zoe, "open_floor", {
      seats: names,
      ack_seconds: 10,
      hold_seconds: Math.ceil(2 * holds) + 10,
      max_turn_seconds: 0,
      max_agent_turns: 100_000,
    });
    expect(opened.status).toBe(200);

    const client = new Client({ name: "patient", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${here.url}mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${wes}` } },
    });
    await client.connect(transport as Transport);
    const call = async (name: string, args: Record<string, unknown>): Promise<Heard> => {
      const options = limit === undefined ? undefined : { timeout: limit * 1000 };
      const { structuredContent, isError } = await client.callTool({ name, arguments: args }, undefined, options);
      expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
      return structuredContent as Heard;
    };

    const { whole } = chance("patience");
    const end = performance.now() + seconds * 1000;
    const goesOn = () => performance.now() < end;
    let playing = true;
    const others = tokens.map(async (token) => {
      const agent = await there.agent(token);
      while (goesOn()) {
        const { structuredContent } = await agent.call("wait_for_floor", { request: true, wait_seconds: 5 });
        if (!structuredContent.your_turn) continue;
        await pause(whole(0, holds * 1000));
        await agent.call("pass_floor");
      }
    });
    const came: number[] = [];
    let loops = 0;
    const over = Promise.all(others).finally(() => {
      playing = false;
    });
    for (let last = false; !last; ) {
      // Once nobody else plays, a last look for what may have come meanwhile.
      last = !playing;
      loops++;
      const more = last ? { wait_seconds: 0 } : { request: true, ...(wait !== undefined && { wait_seconds: wait }) };
      const heard = await call("wait_for_floor", more);
      if (!heard.your_turn) {
        // That all came to an end by itself is told too.
        expect(heard.waiting || heard.quiescent).toBe(true);
        continue;
      }
      came.push(heard.turn ?? 0);
      await call("say", { text: `In turn ${heard.turn}`, turn: heard.turn, then: last ? "nobody" : "pass" });
    }
    await over;
    await client.close();

    const { body } = await here.api(zoe, "get_audit_log", { action: "floor.ended", limit: 100 });
    const mine = (body.entries as Array<{ data: { seat: string; turn: number; ended: string; spoke: number } }>)
      .map(({ data }) => data)
      .filter(({ seat }) => seat === "wes");
    const report = await here.api(zoe, "floor_report");
    const shares = report.body.seats as Array<{ seat: string; turns: number; missed: number }>;
    process.stderr.write(
      `patience: ${came.length} turns in ${loops} waits of ${seconds} s; ` +
        `${shares.map(({ seat, turns, missed }) => `${seat} ${turns} turns, ${missed} missed`).join("; ")}\n`,
    );
    const share = shares.find(({ seat }) => seat === "wes");
    expect([came.length, share?.missed]).toEqual([share?.turns, 0]);
    for (const { turn, ended, spoke } of mine) expect([turn, ended, spoke]).toEqual([turn, "passed", 1]);
    expect(came.length).toBeGreaterThan(0);
    expect(loops, "it had to wait again").toBeGreaterThan(came.length);
    for (const server of [here, there]) expect(server.said().err).toBe("");
  } finally {
    await place.remove();
  }
}
