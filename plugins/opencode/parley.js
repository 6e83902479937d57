// opencode: before a tool runs, a person is asked through `parley hook opencode`. Whatever is no clear yes throws,
// and a throw here keeps the tool from running. `parley connect opencode NAME --gates --write` fills in `setup`.
import { spawn } from "node:child_process";

const setup = { command: ["parley", "hook", "opencode"], env: {} };

/** What only reads, and Parley's own tools, which ask a person themselves. All else is asked for. */
const free = /^(?:read|list|ls|glob|grep|lsp_.*|todoread|todowrite|task|skill|question|invalid|parley_.*)$/;

export const Parley = async ({ directory } = {}) => ({
  "tool.execute.before": async (input, output) => {
    if (free.test(input.tool)) return;
    const args = await ask({
      hook_event_name: "tool.execute.before",
      session_id: input.sessionID,
      tool_use_id: input.callID,
      tool_name: input.tool,
      tool_input: output.args ?? {},
      cwd: directory ?? process.cwd(),
    });
    // The arguments are shared: as approved, no more and no less.
    if (!output.args) output.args = {};
    for (const field of Object.keys(output.args)) if (!(field in args)) delete output.args[field];
    Object.assign(output.args, args);
  },
});

/** The arguments as approved; throws for anything else. */
function ask(event) {
  return new Promise((resolve, reject) => {
    const no = (why) => reject(new Error(why));
    const [file, ...words] = setup.command;
    const child = spawn(file, words, {
      env: { ...process.env, ...setup.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const out = [];
    const err = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    child.stdin.on("error", () => {});
    child.on("error", (error) => no(`Blocked: Parley could not be asked (${error.message}).`));
    child.on("close", (code) => {
      const said = code === 0 ? read(Buffer.concat(out).toString()) : null;
      if (said?.permission === "allow" && typeof said.args === "object" && said.args !== null) resolve(said.args);
      else no(said?.message ?? (Buffer.concat(err).toString().trim() || "Blocked: Parley gave no answer."));
    });
    child.stdin.end(JSON.stringify(event));
  });
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
