// @ts-check
// What an action is, read from its JSON: a command, an edit, a diff, a request, or something else. Pure. Whatever is
// not named by the head is in `rest`, so that nothing of the action is ever left out.
/** @import { Line } from "../view/diff.js" */
/** @import { Question, ToolUse } from "./tool-use.js" */
import { linesOfDiff, looksLikeDiff } from "../view/diff.js";
import { linesOfEdit } from "./line-diff.js";
import { readToolUse } from "./tool-use.js";

/**
 * @typedef {object} Shown
 * @property {string} what what kind of act: Command, Edit, Request …
 * @property {string} where folder, file or host it acts on
 * @property {string | null} code text to show as code
 * @property {Line[] | null} diff
 * @property {string} [prose] a plan, Markdown
 * @property {Question[]} [questions] to be answered by a person
 * @property {Record<string, unknown> | null} rest everything else of the action
 * @property {"text" | "json"} edit what a person edits: the code, or the JSON of the whole
 */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is string} */
const isText = (value) => typeof value === "string";

/** @param {string} word */
const quote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Takes keys out of a record: each by its first name that is there. @param {Record<string, unknown>} from */
function taking(from) {
  const rest = { ...from };
  return {
    rest,
    /** @param {string[]} names */
    take(...names) {
      const name = names.find((one) => isText(rest[one]));
      if (name === undefined) return "";
      const value = /** @type {string} */ (rest[name]);
      delete rest[name];
      return value;
    },
  };
}

const shells = ["bash", "shell", "exec", "run_shell_command", "local_shell", "sh", "terminal"];

/**
 * The tool's own input, where the action is a call of a tool.
 * @param {Record<string, unknown>} action
 */
function unwrap(action) {
  for (const key of ["input", "tool_input", "arguments", "args", "params"]) {
    const inner = action[key];
    if (!isRecord(inner)) continue;
    const { [key]: _, ...outer } = action;
    return { inner, outer, key };
  }
  return { inner: action, outer: {}, key: null };
}

/** The input of the tool that an action uses. @param {unknown} action */
export const inputIn = (action) => (isRecord(action) ? unwrap(action).inner : {});

/** @param {unknown} action @returns {ToolUse | null} */
export function toolUseIn(action) {
  if (!isRecord(action)) return null;
  const { inner, outer } = unwrap(action);
  return readToolUse(taking(outer).take("tool", "tool_name", "name") || taking(inner).take("tool", "tool_name"), inner);
}

/** The action with another input. @param {unknown} action @param {Record<string, unknown>} input */
export function withInput(action, input) {
  const key = isRecord(action) ? unwrap(action).key : null;
  return key && isRecord(action) ? { ...action, [key]: input } : input;
}

/** Tools whose name says no more than that they change a file. */
const plainly =
  /^(?:|edit|multi_?edit|write|write_?file|create_?file|notebook_?edit|replace|str_?replace|apply_?patch|patch|delete|delete_?file)$/i;

const doing = {
  edit: "Edit",
  write: "Write",
  patch: "Patch of",
  delete: "Delete",
  plan: "Plan",
  questions: "Asks you",
};

/** Each replacement, with a line between where there are several. @param {ToolUse} use @returns {Line[]} */
const linesOfChanges = ({ changes }) =>
  changes.flatMap(({ before, after, more }, n) => {
    const said = Object.keys(more).length > 0 ? `, ${JSON.stringify(more)}` : "";
    const lines = linesOfEdit(before, after);
    if (changes.length === 1 && !said) return lines;
    return [{ kind: "hunk", number: "", sign: "", text: `Change ${n + 1} of ${changes.length}${said}` }, ...lines];
  });

/** @param {ToolUse} use @param {string} tool @param {string} folder @param {Record<string, unknown>} left @returns {Shown} */
function shownUse(use, tool, folder, left) {
  const changed = ["edit", "write", "delete"].includes(use.is);
  const what = use.is === "patch" && use.files.length === 0 ? "Diff" : doing[use.is];
  return {
    what: plainly.test(tool) || !(changed || use.is === "patch") ? what : `${tool}, ${what.toLowerCase()}`,
    where: [use.files.join(", "), folder && `in ${folder}`].filter(Boolean).join(" "),
    code: null,
    diff: use.is === "patch" ? linesOfDiff(use.text) : changed ? linesOfChanges(use) : null,
    ...(use.is === "plan" && { prose: use.text }),
    ...(use.is === "questions" && { questions: use.questions }),
    rest: Object.keys(left).length > 0 ? left : null,
    edit: "json",
  };
}

/** @param {unknown} action @returns {Shown} */
export function describe(action) {
  if (isText(action)) {
    return looksLikeDiff(action)
      ? { what: "Diff", where: "", code: null, diff: linesOfDiff(action), rest: null, edit: "json" }
      : { what: "Command", where: "", code: action, diff: null, rest: null, edit: "text" };
  }
  if (!isRecord(action)) {
    return { what: "Action", where: "", code: JSON.stringify(action, null, 2), diff: null, rest: null, edit: "json" };
  }
  const { inner, outer } = unwrap(action);
  const around = taking(outer);
  const own = taking(inner);
  const tool = around.take("tool", "tool_name", "name") || own.take("tool", "tool_name");
  const folder = own.take("cwd", "workdir", "directory") || around.take("cwd", "workdir", "directory");
  const leftover = () => {
    const rest = { ...around.rest, ...own.rest };
    return Object.keys(rest).length ? rest : null;
  };
  const use = readToolUse(tool, inner);
  if (use) {
    const left = Object.entries(use.rest).filter(([name]) => name in own.rest);
    return shownUse(use, tool, folder, { ...around.rest, ...Object.fromEntries(left) });
  }
  const { command } = inner;
  if (isText(command) || (Array.isArray(command) && command.every(isText))) {
    delete own.rest.command;
    const fed = own.rest.stdin === true;
    if (fed) delete own.rest.stdin;
    const known = !tool || shells.includes(tool.toLowerCase());
    return {
      what: `${known ? "Command" : tool}${fed ? " that reads standard input," : ""}${folder ? " in" : ""}`,
      where: folder,
      code: isText(command) ? command : command.map(quote).join(" "),
      diff: null,
      rest: leftover(),
      edit: isText(command) ? "text" : "json",
    };
  }
  const back = () => (folder ? { ...leftover(), cwd: folder } : leftover());
  const url = own.take("url", "uri");
  if (url) {
    const method = own.take("method").toUpperCase() || "GET";
    return { what: "Request to", where: hostOf(url), code: `${method} ${url}`, diff: null, rest: back(), edit: "json" };
  }
  return {
    what: tool || "Action",
    where: "",
    code: JSON.stringify(action, null, 2),
    diff: null,
    rest: null,
    edit: "json",
  };
}

/** @param {string} url */
function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

const count = new Intl.NumberFormat("en-GB");

/**
 * How long an action is, where it is more than what is seen at a glance: “+12 −3 · 240 lines · 9,310 characters”.
 * @param {Shown} shown @param {string} text the whole of it
 */
export function sizeOf({ diff, code }, text) {
  const kinds = (/** @type {string} */ kind) => count.format(diff?.filter((line) => line.kind === kind).length ?? 0);
  const lines = diff?.length ?? (code ?? text).split("\n").length;
  return [
    diff && `+${kinds("add")} −${kinds("del")}`,
    lines > 10 && `${count.format(lines)} lines`,
    text.length > 1000 && `${count.format(text.length)} characters`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The text that a person edits. @param {unknown} action */
export function editable(action) {
  const shown = describe(action);
  return shown.edit === "text" ? (shown.code ?? "") : JSON.stringify(action, null, 2);
}

/**
 * The action with a person's text in it; throws when that text is no JSON where JSON is edited.
 * @param {unknown} action @param {string} text @returns {unknown}
 */
export function withEdit(action, text) {
  if (describe(action).edit === "json") return JSON.parse(text);
  if (!isRecord(action)) return text;
  const { inner, key } = unwrap(action);
  return key ? { ...action, [key]: { ...inner, command: text } } : { ...action, command: text };
}
