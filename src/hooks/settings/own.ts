// What in a client's settings is Parley's own and may be replaced. Everything that does not look exactly as `connect`
// writes it is somebody else's.
import { isHookLine, ownCommand } from "./command.ts";
import type { EntryPiece, ValuePiece } from "./piece.ts";
import type { Setup } from "./setup.ts";
import { isObject } from "./shapes.ts";

/** A hook that `connect` wrote for this client, or a group of nothing but such hooks. */
export const isHookOf =
  (client: string) =>
  (entry: unknown): boolean => {
    if (!isObject(entry)) return false;
    if (Array.isArray(entry.hooks)) return entry.hooks.length > 0 && entry.hooks.every(isHookOf(client));
    return typeof entry.command === "string" && isHookLine(entry.command, client);
  };

export const hookEntry = (client: string, file: string, at: string[], value: unknown): EntryPiece => ({
  kind: "entry",
  file,
  at,
  value,
  ours: isHookOf(client),
});

/** An MCP server called parley: at an address that ends with /mcp, or a command that serves stdio. */
const isServer = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const { url, httpUrl, command, args } = value;
  const words = [command, args].flat();
  return [url, httpUrl].some((at) => typeof at === "string" && /\/mcp\/?$/.test(at)) || words.includes("stdio");
};

export const server = (file: string, at: string[], value: unknown): ValuePiece => ({
  kind: "value",
  file,
  at,
  value,
  ours: isServer,
});

/** A variable of Parley's own name. */
export const variable = (file: string, name: "PARLEY_URL" | "PARLEY_TOKEN", value: string | undefined): ValuePiece => ({
  kind: "value",
  file,
  at: ["env", name],
  value,
  ours: (found) => typeof found === "string",
});

/** `parley stdio` as a client starts it: the file, its arguments, and its environment but the token. */
export function stdioCommand({ store }: Setup): { command: string; args: string[]; env: { PARLEY_STORE: string } } {
  const [command = "", ...args] = ownCommand();
  return { command, args: [...args, "stdio"], env: { PARLEY_STORE: store } };
}

/** The headers and variables of a server's entry. */
const fieldsOf = (entry: unknown): Record<string, unknown> =>
  isObject(entry) ? Object.assign({}, ...[entry.headers, entry.env, entry.environment].filter(isObject)) : {};

/** The token that a server's entry holds; undefined where it names a variable. */
export function tokenIn(entry: unknown): string | undefined {
  const { Authorization, PARLEY_TOKEN } = fieldsOf(entry);
  const found = typeof Authorization === "string" ? /^Bearer (\S+)$/.exec(Authorization)?.[1] : PARLEY_TOKEN;
  return typeof found === "string" && found !== "" && !/[${}]/.test(found) ? found : undefined;
}

/** The store that a server's entry names for `parley stdio`. */
export function storeIn(entry: unknown): string | undefined {
  const { PARLEY_STORE } = fieldsOf(entry);
  return typeof PARLEY_STORE === "string" ? PARLEY_STORE : undefined;
}
