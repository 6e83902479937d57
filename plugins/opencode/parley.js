// opencode: before a tool runs, a person is asked through `parley hook opencode`. Whatever is no clear yes throws,
// and a throw here keeps the tool from running. `parley connect opencode NAME --gates --write` fills in `setup`.
import { spawn } from "node:child_process";

const setup = { command: ["parley", "hook", "opencode"], env: {} };

/** What only reads. */
const free = /^(?:read|list|ls|glob|grep|lsp_.*|todoread|todowrite|task|skill|question|invalid)$/;

/** Parley's own tools, which ask a person themselves: each by its full name. */
const own = new Set(
  `whoami create_task list_tasks get_task task_tree claim_task next_task release_task submit_result update_task
  review_task cancel_task floor say request_floor withdraw_request keep_floor pass_floor wait_for_floor
  open_floor take_floor grant_floor revoke_floor deny_request pause_floor resume_floor close_floor
  conversation floor_report export_conversation request_approval wait_for_feedback report_blocker
  wait_for_gate get_gate list_gates withdraw_gate gate_result permission_prompt post_message read_messages
  wait_for_message archive_messages delete_message purge_messages list_members set_presence list_rooms
  join_room leave_room get_audit_log`
    .split(/\s+/)
    .map((name) => `parley_${name}`),
);

/** By call: what the agent is to know of it once it has run. */
const told = new Map();

export const Parley = async ({ directory } = {}) => ({
  "tool.execute.before": async (input, output) => {
    // All else is asked for.
    if (free.test(input.tool) || own.has(input.tool)) return;
    const answer = await ask({
      hook_event_name: "tool.execute.before",
      session_id: input.sessionID,
      tool_use_id: input.callID,
      tool_name: input.tool,
      tool_input: output.args ?? {},
      cwd: directory ?? process.cwd(),
    });
    const { args } = answer;
    if (typeof answer.told === "string") told.set(input.callID, answer.told);
    // The arguments are shared: as approved, no more and no less.
    if (!output.args) output.args = {};
    for (const field of Object.keys(output.args)) if (!(field in args)) delete output.args[field];
    Object.assign(output.args, args);
  },
  "tool.execute.after": async (input, output) => {
    const line = told.get(input.callID);
    if (line === undefined || !output) return;
    told.delete(input.callID);
    output.output = [output.output, line].filter(Boolean).join("\n\n");
  },
});

/** The answer that says yes, with the arguments as approved; throws for anything else. */
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
      if (said?.permission === "allow" && typeof said.args === "object" && said.args !== null) resolve(said);
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
