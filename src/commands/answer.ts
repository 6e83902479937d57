// parley gates and parley answer: a person looks at what waits and answers it from a shell, with a token of their own.
// The operator of the store answers nothing here: whoever can read the store is no person for that.
import { openServer, type Refused, type Server, tokenOf, urlOf } from "../client/server.ts";
import { Refusal } from "../refusal.ts";
import { forTerminal } from "../visible.ts";
import { out, table } from "./print.ts";

type Json = Record<string, unknown>;

interface Shown extends Json {
  id: string;
  room: string;
  kind: string;
  status: string;
  title: string;
  asked_by: string;
  digest?: string;
}

export interface AnswerOptions {
  note?: string;
  text?: string;
  choice?: string;
  digest?: string;
  confirm?: boolean;
}

/** As of sysexits. */
const exits = { usage: 64, unavailable: 69, again: 75, no: 77 } as const;
/** Hex digits of a digest that are enough to name it. */
const enough = 12;

/** @returns the exit code */
export async function gates(id: string | undefined, options: { json?: boolean }): Promise<number> {
  const server = openServer(urlOf(process.env), tokenOf(process.env, "your own"));
  if (id !== undefined) return one(server, id, options.json ?? false);
  const said = await server.call("list_rooms", {});
  if (!("result" in said)) return failed(said);
  const waiting: Shown[] = [];
  for (const { room } of said.result.rooms as Array<{ room: string }>) {
    let cursor: unknown;
    do {
      const page = await server.call("list_gates", {
        room,
        status: "pending",
        ...(cursor !== undefined && { cursor }),
      });
      // A room that is open to all is listed to those who are not in it, too.
      if ("refused" in page && page.refused.status === 403) break;
      if (!("result" in page)) return failed(page);
      waiting.push(...(page.result.gates as Shown[]));
      cursor = page.result.next;
    } while (cursor !== undefined);
  }
  if (options.json) for (const gate of waiting) out(JSON.stringify(gate));
  else if (waiting.length === 0) out("Nothing waits.");
  else
    table(
      ["ID", "ROOM", "KIND", "RISK", "ASKED BY", "UNTIL", "TITLE"],
      waiting.map((gate) => [
        gate.id,
        gate.room,
        gate.kind,
        gate.risk,
        forTerminal(gate.asked_by),
        gate.expires_at,
        forTerminal(gate.title),
      ]),
    );
  return 0;
}

/** The whole card: an approval is given to what stands here. */
async function one(server: Server, id: string, json: boolean): Promise<number> {
  const said = await server.call("get_gate", { gate_id: id });
  if (!("result" in said)) return failed(said);
  const gate = said.result.gate as Shown;
  // That it was opened is a fact of the card, as on the dashboard.
  const seen = await server.call("see_gate", { gate_id: id });
  if (!("result" in seen)) return failed(seen);
  if (json) {
    out(JSON.stringify(gate));
    return 0;
  }
  const line = (name: string, value: unknown) => {
    if (value !== undefined) out(`${name.padEnd(9)} ${forTerminal(String(value))}`);
  };
  line("title", gate.title);
  line("kind", gate.kind);
  line("status", gate.status);
  line("risk", gate.risk);
  line("asked by", `${gate.asked_by} in ${gate.room}`);
  line("until", gate.expires_at);
  for (const option of (gate.options as string[] | undefined) ?? []) line("choice", option);
  line("digest", gate.digest);
  if (gate.details) out(`\n${forTerminal(String(gate.details))}`);
  if (gate.action !== undefined) out(`\n${forTerminal(JSON.stringify(gate.action, null, 2))}`);
  return 0;
}

/** @returns the exit code */
export async function answer(id: string, decision: string, options: AnswerOptions): Promise<number> {
  const server = openServer(urlOf(process.env), tokenOf(process.env, "your own"));
  const { digest: named, ...words } = options;
  let digest: string | undefined;
  if (decision === "approve") {
    const said = await server.call("get_gate", { gate_id: id });
    if (!("result" in said)) return failed(said);
    digest = (said.result.gate as Shown).digest;
    if (digest !== undefined && !names(named, digest))
      throw new Refusal(
        "BAD_INPUT",
        `Name the action that you approve, with --digest and at least ${enough} digits of its digest: parley gates ${id} shows both.`,
      );
  }
  const said = await server.call("decide_gate", {
    gate_id: id,
    decision,
    ...words,
    ...(digest !== undefined && { digest }),
  });
  if (!("result" in said)) return failed(said);
  const gate = said.result.gate as Shown;
  out(`${gate.status}: ${forTerminal(gate.title)}`);
  if (gate.status !== "pending") return 0;
  const from = gate.confirm_from;
  out(
    from === undefined
      ? "A second person has to approve it too."
      : `It needs you once more, from ${from}: parley answer ${id} approve --digest ${digest} --confirm`,
  );
  return exits.again;
}

/** Whether these digits are the beginning of this digest. */
function names(digits: string | undefined, digest: string): boolean {
  const wanted = digits?.toLowerCase().replace(/^sha256:/, "") ?? "";
  return wanted.length >= enough && digest.replace(/^sha256:/, "").startsWith(wanted);
}

function failed(said: { refused: Refused } | { unreachable: string }): number {
  const [message, code] =
    "refused" in said
      ? [said.refused.message, said.refused.status === 401 || said.refused.status === 403 ? exits.no : exits.usage]
      : [said.unreachable, exits.unavailable];
  process.stderr.write(`parley: ${forTerminal(message)}\n`);
  return code;
}
