// Shapes for which Claude Code drops ~/.claude/settings.json as a whole, silently (found by running 2.1.197).
import { isObject, must, mustBeHooks, mustHaveKinds } from "./shapes.ts";

type Json = Record<string, unknown>;

/** Known fields, by their path with dots. Fields that it does not know it bears. */
const kinds = {
  env: "object",
  permissions: "object",
  "permissions.allow": "texts",
  "permissions.ask": "texts",
  "permissions.deny": "texts",
  "permissions.additionalDirectories": "texts",
  "permissions.defaultMode": "text",
  "permissions.disableBypassPermissionsMode": "text",
  allowedHttpHookUrls: "texts",
  alwaysThinkingEnabled: "switch",
  apiKeyHelper: "text",
  attribution: "object",
  autoUpdatesChannel: "text",
  availableModels: "texts",
  awsAuthRefresh: "text",
  cleanupPeriodDays: "number",
  companyAnnouncements: "texts",
  disableAllHooks: "switch",
  disabledMcpjsonServers: "texts",
  enableAllProjectMcpServers: "switch",
  enabledMcpjsonServers: "texts",
  enabledPlugins: "object",
  extraKnownMarketplaces: "object",
  fileSuggestion: "object",
  includeCoAuthoredBy: "switch",
  language: "text",
  model: "text",
  otelHeadersHelper: "text",
  outputStyle: "text",
  plansDirectory: "text",
  respectGitignore: "switch",
  sandbox: "object",
  "sandbox.enabled": "switch",
  skipDangerousModePermissionPrompt: "switch",
  spinnerTipsEnabled: "switch",
  spinnerVerbs: "object",
  statusLine: "object",
  worktree: "object",
} as const;

/** The first six are those of 2.1.197, the others of other versions. */
const modes = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan", "delegate", "manual"];

/** What each kind of hook cannot be without. */
const needs: Readonly<Record<string, readonly string[]>> = {
  command: ["command"],
  prompt: ["prompt"],
  agent: ["prompt"],
  http: ["url"],
  mcp_tool: ["server", "tool"],
};

/** @throws Unusable where the file would be dropped */
export function mustBeClaude(root: Json): void {
  mustHaveKinds(root, kinds);
  mustBeHooks(root.hooks, Object.keys(needs));
  // Each is a list of groups with hooks by now.
  for (const [event, groups] of Object.entries((root.hooks ?? {}) as Record<string, Array<{ hooks: Json[] }>>))
    for (const [group, { hooks }] of groups.entries())
      for (const [index, hook] of hooks.entries()) mustBeHook(hook, `hooks.${event}[${group}].hooks[${index}]`);
  const mode = isObject(root.permissions) ? root.permissions.defaultMode : undefined;
  must(mode === undefined || modes.includes(mode as string), '"permissions.defaultMode"', "a mode that is known");
  const days = root.cleanupPeriodDays ?? 1;
  must(Number.isInteger(days) && Number(days) > 0, '"cleanupPeriodDays"', "a whole number above 0");
  for (const field of ["statusLine", "fileSuggestion"])
    must(
      root[field] === undefined || isCommand(root[field]),
      `"${field}"`,
      'an object with "type": "command" and a "command"',
    );
  for (const [plugin, on] of Object.entries((root.enabledPlugins ?? {}) as Json))
    must(typeof on === "boolean" || Array.isArray(on), JSON.stringify(`enabledPlugins.${plugin}`), "true or false");
  for (const [name, market] of Object.entries((root.extraKnownMarketplaces ?? {}) as Json))
    must(
      isObject(market) && isObject(market.source),
      JSON.stringify(`extraKnownMarketplaces.${name}`),
      'an object with an object "source"',
    );
}

const isCommand = (value: unknown): boolean =>
  isObject(value) && value.type === "command" && typeof value.command === "string";

function mustBeHook(hook: Json, at: string): void {
  for (const field of needs[String(hook.type)] ?? []) must(typeof hook[field] === "string", `${at}.${field}`, "a text");
  must(hook.type !== "http" || URL.canParse(String(hook.url)), `${at}.url`, "a URL");
  must(hook.timeout === undefined || Number(hook.timeout) > 0, `${at}.timeout`, "above 0");
  must(hook.async === undefined || typeof hook.async === "boolean", `${at}.async`, "true or false");
  must(hook.shell === undefined || ["bash", "powershell"].includes(hook.shell as string), `${at}.shell`, "a shell");
}
