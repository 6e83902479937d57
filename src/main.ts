#!/usr/bin/env node
// The command line. Results on stdout, everything else on stderr; exit codes of sysexits.
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { shown } from "./commands/shown.ts";
import { version } from "./package.ts";
import { Refusal } from "./refusal.ts";

const exits = { usage: 64, unavailable: 69, software: 70, noPermission: 77, config: 78 } as const;

const program = new Command("parley")
  .description("Where AI agents and the people they work for meet: a task board, a floor and gates.")
  .version(version)
  .exitOverride()
  .showHelpAfterError("(--help shows what there is)");

const whole = (text: string): number => {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError("a whole number is wanted.");
  return n;
};

program
  .command("serve")
  .description("start the server")
  .option("--lan", "be reachable from other machines of this network")
  .action(async (options) => (await import("./commands/serve.ts")).serve(options));

program
  .command("stdio")
  .description("speak MCP over standard input and output, as the member of PARLEY_TOKEN")
  .option("--as <name>", "as this agent, where you can read the store anyway")
  .action(async (options) => (await import("./commands/stdio.ts")).stdio(options));

program
  .command("link")
  .description("make a one-time sign-in link for the dashboard")
  .option("--person <name>", "for whom, where there are several people")
  .option("--json", "one line of JSON")
  .action(async (options) => (await import("./commands/link.ts")).link(options));

const member = program.command("member").description("who may come in");
member
  .command("add <name>")
  .description("add an agent (or a person) and print its token once")
  .option("--person", "a person, not an agent")
  .option("--role <role>", "lead, worker, reviewer, observer; for people approver, viewer, owner")
  .option("--skills <list>", "separated by commas")
  .option("--room <room>", "default: main")
  .option("--context-tokens <n>", "how much it can read at once", whole)
  .option("--json", "one line of JSON")
  .action(async (name, options) => (await import("./commands/members.ts")).addMember(name, options));
member
  .command("list")
  .description("list who is in a room")
  .option("--room <room>", "default: main")
  .option("--json", "one line of JSON")
  .action(async (options) => (await import("./commands/members.ts")).listMembers(options));
member
  .command("remove <name>")
  .description("remove a member; its tokens end, its name stays taken")
  .action(async (name) => (await import("./commands/members.ts")).removeMember(name));
member
  .command("role <name> <role>")
  .description("change a member's role in a room")
  .option("--room <room>", "default: main")
  .action(async (name, role, options) => (await import("./commands/members.ts")).setRole(name, role, options));

const token = program.command("token").description("members' tokens");
token
  .command("issue <name>")
  .description("make another token for a member and print it once")
  .option("--label <label>", "to know it by")
  .option("--json", "one line of JSON")
  .action(async (name, options) => (await import("./commands/members.ts")).issueToken(name, options));
token
  .command("revoke <id>")
  .description("end a token at once")
  .action(async (id) => (await import("./commands/members.ts")).revokeToken(id));
token
  .command("list [name]")
  .description("list tokens with their last use")
  .option("--json", "one line of JSON")
  .action(async (name, options) => (await import("./commands/members.ts")).listTokens(name, options));

program
  .command("room")
  .description("rooms")
  .command("add <name>")
  .description("make a room")
  .option("--title <title>")
  .option("--open", "any member may join it")
  .action(async (name, options) => (await import("./commands/members.ts")).addRoom(name, options));

program
  .command("verify [receipt]")
  .description("check that a receipt is of an approval, still good, and of exactly this action")
  .option("--action <file>", "the action as JSON, or - for standard input")
  .option("--key <file>", "the public key; without it the store's")
  .option("--consume", "use it up, where it is for one use")
  .option("--print-key", "print the public key")
  .action(async (receipt, options) => {
    process.exitCode = await (await import("./commands/verify.ts")).verify(receipt, options, Date.now());
  });

program
  .command("gate <command...>")
  .description("run a command once a person has approved it: parley gate -- COMMAND…")
  .option("--title <title>", "what the person reads first; default: the command")
  .option("--risk <risk>", "low, medium, high, critical")
  .option("--timeout <seconds>", "after which it is not approved; default: a day", whole)
  .option("--stdin-ok", "hand standard input to the command")
  .option("--room <room>", "where the agent is in several")
  .action(async (command, options) => {
    process.exitCode = await (await import("./commands/gate.ts")).gate(command, options);
  });

program
  .command("gates [id]")
  .description("what waits for a person, or one card with all that it says; with a person's token")
  .option("--json", "a line of JSON each")
  .action(async (id, options) => {
    process.exitCode = await (await import("./commands/answer.ts")).gates(id, options);
  });
program
  .command("answer")
  .argument("<id>", "the gate's id")
  .addArgument(new Argument("<decision>").choices(["approve", "deny", "answer", "resolve"]))
  .description("answer a card as a person, with a person's token")
  .option("--digest <digest>", "of the action that you approve, as parley gates ID shows it")
  .option("--note <note>", "why; the agent reads it")
  .option("--text <text>", "the answer to a question, or what was done about a blocker")
  .option("--choice <choice>", "one of the choices offered")
  .option("--confirm", "the second confirmation of what is critical")
  .action(async (id, decision, options) => {
    process.exitCode = await (await import("./commands/answer.ts")).answer(id, decision, options);
  });

program
  .command("hook <client>")
  .description("answer a hook of an agent's client from the dashboard: claude-code, codex, gemini, cursor, opencode")
  .option("--timeout <seconds>", "after which it blocks; less than the client's own limit", whole)
  .option("--room <room>", "where the agent is in several")
  .action(async (client, options) => {
    process.exitCode = await (await import("./commands/hook.ts")).hook(client, options);
  });

program
  .command("connect <client> <name>")
  .description("set a client up for an agent: claude, codex, gemini, opencode, cursor, vscode, generic")
  .option("--gates", "with hooks: it asks a person before commands, edits and network calls")
  .option("--write", "put it into the client's own settings; else it is printed")
  .option("--stdio", "the client starts parley stdio on the store instead of calling the server")
  .option("--token-in-file", "write the token into files in a git work tree too")
  .option("--room <room>", "where a new agent begins; default: main")
  .action(async (client, name, options) => {
    process.exitCode = await (await import("./commands/connect.ts")).connect(client, name, options, Date.now());
  });

program
  .command("doctor")
  .description("check server, token, MCP and the clients on this machine")
  .option("--client <client>", "this one must be connected")
  .action(async (options) => {
    process.exitCode = await (await import("./commands/doctor.ts")).doctor(options);
  });

program
  .command("seed")
  .description("back the store up, then fill two demo rooms")
  .action(async () => (await import("./commands/seed.ts")).seedStore(Date.now()));

program
  .command("export")
  .description("print a conversation with its turns")
  .option("--room <room>", "", "main")
  .option("--channel <channel>", "", "main")
  .addOption(new Option("--format <format>").choices(["markdown", "jsonl"]).default("markdown"))
  .option("--raw", "on a terminal too, write control and invisible characters as they are")
  .action(async ({ raw = false, ...options }) =>
    (await import("./commands/export.ts")).exportConversation(raw, options),
  );

program
  .command("backup")
  .description("copy the store to a file, also while the server runs")
  .option("--to <file>")
  .action(async (options) => (await import("./commands/backup.ts")).backup(options, Date.now()));

program
  .command("audit")
  .description("the log")
  .command("verify")
  .description("check every room's log for altered, missing or inserted facts")
  .action(async () => {
    const sound = await (await import("./commands/audit.ts")).verifyAudit();
    if (!sound) process.exitCode = 65;
  });

try {
  await program.parseAsync();
} catch (error) {
  const code = explain(error);
  // A hook that fails in any other way lets the tool run.
  process.exitCode = code !== 0 && process.argv[2] === "hook" ? 2 : code;
}

/** Says on stderr what went wrong and how to go on; the exit code. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exits.usage;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`parley: ${shown(message)}\n`);
  if (error instanceof Refusal)
    return error.code === "FORBIDDEN" || error.code === "UNAUTHENTICATED" ? exits.noPermission : exits.usage;
  if (/^PARLEY_/.test(message)) return exits.config;
  if (/ECONNREFUSED|taken/.test(message)) return exits.unavailable;
  if (process.env.PARLEY_LOG === "debug" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return exits.software;
}
