// parley connect CLIENT NAME: the client's settings for this agent, printed, or with --write put into the client's own
// user-level files. The token is PARLEY_TOKEN, or the one that the client has already, or a new one where the store
// can be opened from here. Whatever can be refused is refused before a token is made.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { openServer, type Server, urlOf } from "../client/server.ts";
import { iso } from "../clock.ts";
import { readConfig } from "../config.ts";
import { clientSettings } from "../hooks/settings/clients.ts";
import { ownCommand } from "../hooks/settings/command.ts";
import { planOf, rehearse, type Written, withPieces, writeTogether } from "../hooks/settings/file.ts";
import { SettingsProblem } from "../hooks/settings/problem.ts";
import type { ClientSettings, Setup } from "../hooks/settings/setup.ts";
import { filesOf, mustHaveShape, standing } from "../hooks/settings/standing.ts";
import { workTreeOf } from "../hooks/settings/target.ts";
import { Refusal } from "../refusal.ts";
import { out } from "./print.ts";

export interface ConnectOptions {
  gates?: boolean;
  write?: boolean;
  stdio?: boolean;
  tokenInFile?: boolean;
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

/** Whether a store is PostgreSQL's; its address holds a password as a rule. */
const isAddress = (store: string): boolean => /^postgres(ql)?:\/\//.test(store);

/** This machine's, for `parley connect` and `parley doctor`. */
export function setupHere(url: string): Setup {
  const { store } = readConfig(process.env);
  const file = isAddress(store) ? store : resolve(store);
  return {
    url,
    token: "",
    tokenBy: "file",
    transport: "http",
    store: file,
    home: homedir(),
    env: process.env,
    platform: process.platform,
  };
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
  const here = setupHere(url);
  const stands = standing(settings, here);
  if (options.gates && !settings.gates)
    say(`${settings.title} has no hook that could ask; only its connection is set up.`);
  // Gates that stand are never taken away by connecting again.
  const gated = settings.gates !== undefined && (options.gates || stands.gated);
  const planned: Setup = { ...here, token: "parley_…", transport: options.stdio ? "stdio" : "http" };
  const tree = options.tokenInFile ? null : treeWithToken(settings, planned, gated);
  if (tree && options.stdio && isAddress(here.store))
    throw new Refusal(
      "BAD_INPUT",
      `The address of the store holds a password, and ${tree.file} lies in the git work tree ${tree.tree}. ` +
        "Connect over HTTP, without --stdio, or have it written all the same with --token-in-file.",
    );
  const open: Setup = { ...planned, tokenBy: tree ? "variable" : "file" };
  const copies = { stamp: stampOf(now), elsewhere: join(here.home, ".parley", "copies") };
  if (options.write) {
    mustHaveShape(settings, open);
    rehearse(plansFor(settings, open, gated), copies);
  }
  const setup = { ...open, token: await tokenFor(name, url, label, stands.token, options) };
  if (options.write) tell(writeTogether(plansFor(settings, setup, gated), copies));
  else print(settings, setup, gated);
  if (tree) say(treeNote(settings, tree));
  if (settings.keepsNoToken === "variable" || tree) exports(setup);
  for (const note of notesOn(settings, setup, gated, options)) say(note);
}

const stampOf = (now: number): string => iso(now).replace(/[-:]/g, "").slice(0, 15);

/** The first file that would hold the token inside a git work tree, and the tree. */
function treeWithToken(settings: ClientSettings, setup: Setup, gated: boolean): { file: string; tree: string } | null {
  for (const [file, pieces] of filesOf(settings, setup, gated)) {
    const tree = JSON.stringify(pieces).includes(setup.token) ? workTreeOf(file) : null;
    if (tree !== null) return { file, tree };
  }
  return null;
}

const treeNote = ({ title }: ClientSettings, { file, tree }: { file: string; tree: string }): string =>
  `${file} lies in the git work tree ${tree}: the token is not written. ${title} takes it from the variable ` +
  `PARLEY_TOKEN instead; export it where ${title} starts. To have it written all the same: --token-in-file`;

function plansFor(settings: ClientSettings, setup: Setup, gated: boolean) {
  const secrets = [setup.token, ...(isAddress(setup.store) ? [setup.store] : [])];
  return [...filesOf(settings, setup, gated)].map(([file, pieces]) => {
    const text = JSON.stringify(pieces);
    return planOf(
      file,
      pieces,
      secrets.some((secret) => text.includes(secret)),
    );
  });
}

function notesOn(settings: ClientSettings, setup: Setup, gated: boolean, options: ConnectOptions): string[] {
  const idle = gated && options.write ? (settings.idle?.(setup, null) ?? []) : [];
  return [
    ...settings.notes(setup, gated),
    ...(setup.transport === "stdio" && gated ? [`The hooks ask at ${setup.url}: parley serve must run there.`] : []),
    ...idle.map(({ why, todo }) => `TO DO ${settings.title}: ${why}: ${todo}`),
  ];
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

function print(settings: ClientSettings, setup: Setup, gated: boolean): void {
  const command = setup.transport === "http" ? settings.byHand?.(setup) : undefined;
  if (command) out(`# One command:\n${command}\n\n# Or by hand:`);
  for (const [file, pieces] of filesOf(settings, setup, gated))
    out(`# ${file}\n${withPieces(null, pieces).trimEnd()}\n`);
}

function tell(written: readonly Written[]): void {
  for (const { file, changed, copy } of written)
    out(`${changed ? "wrote" : "as it was"}  ${file}${copy ? `  (before: ${copy})` : ""}`);
}

function exports({ url, token }: Setup): void {
  out(`# In the environment that starts the client:\nexport PARLEY_URL=${url}\nexport PARLEY_TOKEN=${token}`);
}

function generic(url: string, token: string): void {
  out(`# Streamable HTTP\n${url}/mcp\nAuthorization: Bearer ${token}\n`);
  out("# Or over stdio, where the agent may open the store");
  out(`PARLEY_TOKEN=${token} ${[...ownCommand(), "stdio"].join(" ")}`);
}
