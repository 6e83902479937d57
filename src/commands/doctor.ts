// parley doctor: whether an agent on this machine reaches Parley, as whom, and whether its client is set up as
// `parley connect` would do it. Clients are silent about all of this. A line each: ok, or what to do.
import { statSync } from "node:fs";
import { openServer, urlOf, why } from "../client/server.ts";
import { wallClock } from "../clock.ts";
import { clientSettings } from "../hooks/settings/clients.ts";
import { SettingsProblem } from "../hooks/settings/problem.ts";
import type { ClientSettings, Setup } from "../hooks/settings/setup.ts";
import { differing, filesOf, mustHaveShape, standing } from "../hooks/settings/standing.ts";
import { textOf } from "../hooks/settings/target.ts";
import { version } from "../package.ts";
import { Refusal } from "../refusal.ts";
import { setupHere } from "./connect.ts";
import { out } from "./print.ts";

/** Seconds that the clocks may be apart. */
const skew = 10;

/** A check's line; with `todo` it is not well. */
interface Finding {
  what: string;
  todo?: string;
  code?: number;
}

const codes = { unavailable: 69, no: 77, config: 78 } as const;
const well = (what: string): Finding => ({ what });
const ill = (what: string, todo: string, code: number = codes.config): Finding => ({ what, todo, code });

/** @returns the exit code: 0 only when all is well */
export async function doctor(options: { client?: string }): Promise<number> {
  const named = options.client;
  if (named !== undefined && !clientSettings.has(named))
    throw new Refusal("BAD_INPUT", `There is no client ${named}; known: ${[...clientSettings.keys()].join(", ")}.`);
  const url = urlOf(process.env);
  let code = 0;
  const tell = (findings: readonly Finding[]): boolean => {
    for (const { what, todo, code: its = codes.config } of findings) {
      out(todo === undefined ? `ok    ${what}` : `TO DO ${what}: ${todo}`);
      if (todo !== undefined) code ||= its;
    }
    return findings.every(({ todo }) => todo === undefined);
  };
  const reached = tell(await server(url));
  const token = process.env.PARLEY_TOKEN?.trim();
  const clients = [...clientSettings].filter(([name]) => named === undefined || name === named);
  const tokens = new Set(token ? [token] : []);
  for (const [name, settings] of clients) {
    const { findings, uses } = client(name, settings, url, token, named !== undefined);
    tell(findings);
    if (uses) tokens.add(uses);
  }
  if (tokens.size === 0)
    tell([ill("no token", "set PARLEY_TOKEN to the agent's token, or connect a client", codes.no)]);
  if (reached) for (const one of tokens) tell(await credential(url, one));
  return code;
}

async function server(url: string): Promise<Finding[]> {
  const before = wallClock.now();
  let said: { ok?: unknown; version?: unknown; server_time?: unknown };
  try {
    const response = await fetch(`${url}/status`, { redirect: "error", signal: AbortSignal.timeout(10_000) });
    said = (await response.json()) as typeof said;
    if (!response.ok || said.ok !== true) throw new Error(`status ${response.status}`);
  } catch (error) {
    const todo = "start it (parley serve), or set PARLEY_URL to where it is";
    return [ill(`no Parley at ${url} (${why(error)})`, todo, codes.unavailable)];
  }
  const now = wallClock.now();
  const apart = Math.round((Date.parse(String(said.server_time)) - (before + now) / 2) / 1000);
  return [
    well(`server at ${url}`),
    said.version === version
      ? well(`version ${version}`)
      : ill(`the server is version ${said.version}, this command ${version}`, "bring both to the same version"),
    Math.abs(apart) <= skew
      ? well("clocks agree")
      : ill(`the server's clock is ${Math.abs(apart)} s ${apart > 0 ? "ahead" : "behind"}`, "set both clocks by NTP"),
    ...(await store(url)),
  ];
}

/** What the server says of its store. */
async function store(url: string): Promise<Finding[]> {
  try {
    const response = await fetch(`${url}/readyz`, { redirect: "error", signal: AbortSignal.timeout(10_000) });
    const { why, warnings = [] } = (await response.json()) as { why?: string; warnings?: string[] };
    if (why !== undefined) return [ill("the server cannot use its store", why, codes.unavailable)];
    return warnings.length === 0
      ? [well("store ready")]
      : warnings.map((warning) => ill("the server's store", warning));
  } catch (error) {
    return [ill(`the server does not say whether it is ready (${why(error)})`, "see its log", codes.unavailable)];
  }
}

function client(
  name: string,
  settings: ClientSettings,
  url: string,
  token: string | undefined,
  wanted: boolean,
): { findings: Finding[]; uses?: string | undefined } {
  const again = (words: string[]) => ["parley", "connect", name, "NAME", ...words, "--write"].join(" ");
  try {
    const here = setupHere(url);
    const { connected, gated, token: kept, transport, store = here.store } = standing(settings, here);
    if (!gated && !connected) return { findings: wanted ? [ill(`${settings.title} is not connected`, again([]))] : [] };
    const setup: Setup = { ...here, token: kept ?? token ?? "", tokenBy: kept ? "file" : "variable", transport, store };
    mustHaveShape(settings, setup);
    const words = [...(gated ? ["--gates"] : []), ...(transport === "stdio" ? ["--stdio"] : [])];
    const findings = [
      ...differing(settings, setup, gated).map((file) =>
        ill(`${settings.title}: ${file} is not as it should be`, again(words)),
      ),
      ...(gated ? (settings.idle?.(setup, process.cwd()) ?? []) : []).map(({ why, todo }) =>
        ill(`${settings.title}: ${why}`, todo),
      ),
      ...[...filesOf(settings, setup, gated).keys()]
        .filter((file) => othersReadToken(file, setup.token))
        .map((file) => ill(`others can read the token in ${file}`, `chmod 600 ${file}`)),
    ];
    if (settings.keepsNoToken !== "prompt" && !kept && !token)
      findings.push(
        ill(`${settings.title} reads PARLEY_TOKEN, which is not set here`, "export it where the client starts"),
      );
    if (findings.length === 0)
      findings.push(well(`${settings.title} is connected, ${gated ? "with" : "without"} gates`));
    return { findings, uses: kept };
  } catch (error) {
    if (!(error instanceof SettingsProblem)) throw error;
    return { findings: [ill(`${settings.title}: ${error.file}: ${error.why}`, error.todo)] };
  }
}

function othersReadToken(file: string, token: string): boolean {
  const holds = token !== "" && textOf(file)?.includes(token) === true;
  return holds && process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;
}

async function credential(url: string, token: string): Promise<Finding[]> {
  const said = await openServer(url, token).call("whoami", {});
  if ("unreachable" in said) return [ill("whoami", said.unreachable, codes.unavailable)];
  const last = `token …${token.slice(-4)}`;
  if ("refused" in said) return [ill(last, said.refused.message, codes.no)];
  const { member, kind, rooms } = said.result as {
    member: string;
    kind: string;
    rooms: Array<{ room: string; role: string }>;
  };
  if (kind !== "agent")
    return [ill(`${last} is ${member}'s, who is a person`, "give the agent a token of its own", codes.no)];
  const places = rooms.map(({ room, role }) => `${role} in ${room}`).join(", ");
  const who = places
    ? well(`${last} is ${member}'s: ${places}`)
    : ill(`${member} is in no room`, `parley member add ${member} --room ROOM`, codes.no);
  return [who, await handshake(url, token)];
}

/** As a client would: initialize, then the list of tools. */
async function handshake(url: string, token: string): Promise<Finding> {
  const post = async (message: object, session?: string) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(10_000),
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(session && { "Mcp-Session-Id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}`);
    return { session: response.headers.get("mcp-session-id") ?? undefined, text };
  };
  try {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "parley-doctor", version } };
    const { session } = await post({ id: 1, method: "initialize", params });
    await post({ method: "notifications/initialized" }, session);
    const { text } = await post({ id: 2, method: "tools/list" }, session);
    const { result } = JSON.parse(text) as { result: { tools: Array<{ name: string }> } };
    if (!result.tools.some((tool) => tool.name === "wait_for_gate"))
      return ill("MCP lists no gates", "see PARLEY_TOOLSETS and the agent's role");
    return well(`MCP answers with ${result.tools.length} tools`);
  } catch (error) {
    return ill(`MCP at ${url}/mcp does not answer (${why(error)})`, "see the server's log", codes.unavailable);
  }
}
