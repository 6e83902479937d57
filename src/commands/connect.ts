// parley connect CLIENT NAME: the client's settings for this agent, printed, or with --write put into the client's own
// user-level files. The token is PARLEY_TOKEN, or the one that the client has already, or a new one where the store
// can be opened from here.
import { openServer, type Server, urlOf } from "../client/server.ts";
import { iso } from "../clock.ts";
import { type ClientSettings, clientSettings, type Setup } from "../hooks/settings/clients.ts";
import { ownCommand } from "../hooks/settings/command.ts";
import { SettingsProblem, textOf, withPieces, writePieces } from "../hooks/settings/file.ts";
import type { Piece } from "../hooks/settings/piece.ts";
import { filesOf, isGated, setupHere, tokenIn } from "../hooks/settings/standing.ts";
import { Refusal } from "../refusal.ts";
import { out } from "./print.ts";

export interface ConnectOptions {
  gates?: boolean;
  write?: boolean;
  room?: string;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** @returns the exit code */
export async function connect(client: string, name: string, options: ConnectOptions, now: number): Promise<number> {
  try {
    await set(client, name, options, now);
    return 0;
  } catch (error) {
    if (!(error instanceof SettingsProblem)) throw error;
    say(`parley: ${error.message}`);
    return 78;
  }
}

async function set(client: string, name: string, options: ConnectOptions, now: number): Promise<void> {
  const url = urlOf(process.env);
  const label = `connect ${client}`;
  if (client === "generic") return generic(url, await tokenFor(name, url, label, undefined, options));
  const settings = clientSettings.get(client);
  if (!settings)
    throw new Refusal(
      "BAD_INPUT",
      `There is no client ${client}; known: ${[...clientSettings.keys()].join(", ")}, generic.`,
    );
  const bare = setupHere(url, "");
  const token = await tokenFor(name, url, label, await tokenIn(settings, bare), options);
  const setup = { ...bare, token };
  // Gates that stand are never taken away by connecting again.
  const gates = settings.hasGates && (options.gates || (await isGated(settings, setup)));
  if (options.gates && !settings.hasGates)
    say(`${settings.title} has no hook that could ask; only its connection is set up.`);
  const byFile = filesOf(settings.pieces(setup, gates));
  if (options.write) await write(byFile, setup, now);
  else print(settings, byFile, setup);
  if (settings.byEnvironment) exports(setup);
  if (client === "vscode") say(`When VS Code asks for the Parley token: ${token}`);
  for (const note of settings.notes(gates)) say(note);
}

async function tokenFor(
  name: string,
  url: string,
  label: string,
  standing: string | undefined,
  options: ConnectOptions,
): Promise<string> {
  const given = process.env.PARLEY_TOKEN?.trim();
  if (given) {
    const whose = await ownerOf(openServer(url, given));
    if (whose === undefined) say(`The server at ${url} cannot be reached; PARLEY_TOKEN is taken as it is.`);
    else if (whose !== name)
      throw new Refusal(
        "UNAUTHENTICATED",
        whose === null
          ? "PARLEY_TOKEN is not valid here; unset it, or set it to the agent's token."
          : `PARLEY_TOKEN is ${whose}'s, not ${name}'s; unset it, or set it to ${name}'s.`,
      );
    return given;
  }
  if (standing && (await ownerOf(openServer(url, standing))) === name) return standing;
  // The store's own modules take a while: only where they are needed.
  return (await import("./newcomer.ts")).tokenByOperator(name, label, standing, options.room);
}

/** Whose token it is; null nobody's, undefined where that cannot be asked. */
async function ownerOf(server: Server): Promise<string | null | undefined> {
  const said = await server.call("whoami", {});
  if ("result" in said) return String(said.result.member);
  return "refused" in said && said.refused.status === 401 ? null : undefined;
}

function print(settings: ClientSettings, byFile: Map<string, Piece[]>, setup: Setup): void {
  const command = settings.byHand?.(setup);
  if (command) out(`# One command:\n${command}\n\n# Or by hand:`);
  for (const [file, pieces] of byFile) out(`# ${file}\n${withPieces(null, pieces).trimEnd()}\n`);
}

async function write(byFile: Map<string, Piece[]>, setup: Setup, now: number): Promise<void> {
  const stamp = iso(now).replace(/[-:]/g, "").slice(0, 15);
  // All of them are tried before any is touched.
  for (const [file, pieces] of byFile) withPieces(await textOf(file), pieces);
  for (const [file, pieces] of byFile) {
    const secret = JSON.stringify(pieces).includes(setup.token);
    const { changed, backup } = await writePieces(file, pieces, secret, stamp);
    out(`${changed ? "wrote" : "as it was"}  ${file}${backup ? `  (before: ${backup})` : ""}`);
  }
}

function exports({ url, token }: Setup): void {
  out(`# In the environment that starts the client:\nexport PARLEY_URL=${url}\nexport PARLEY_TOKEN=${token}`);
}

function generic(url: string, token: string): void {
  out(`# Streamable HTTP\n${url}/mcp\nAuthorization: Bearer ${token}\n`);
  out("# Or over stdio, where the agent may open the store");
  out(`PARLEY_TOKEN=${token} ${[...ownCommand(), "stdio"].join(" ")}`);
}
