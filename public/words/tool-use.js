// @ts-check
// What a client's tool does, read from its input: which files it changes and how, which plan or questions it puts to a
// person. The one reader for all clients, of the page and of the server alike, so it imports nothing. Pure.
//
// It goes by the names of fields, not of tools. Where two names of one role stand side by side it reads nothing: what
// the client takes could be the other one.

/** @typedef {Record<string, unknown>} Input */
/** @typedef {{before: string, after: string, more: Input}} Change one replacement, and what else is said of it */
/** @typedef {{label: string, description: string}} Option */
/** @typedef {{question: string, header: string, several: boolean, options: Option[]}} Question */

/**
 * @typedef {object} ToolUse
 * @property {"edit" | "write" | "patch" | "delete" | "plan" | "questions"} is
 * @property {string[]} files that it changes, as the client names them
 * @property {string[] | null} acts of `apply_patch`: what becomes of each file, as `Update File: src/a.ts`; null where
 *   not all of it can be told
 * @property {Change[]} changes of `edit` and `write`; `write` replaces the whole file
 * @property {string} text the patch or the plan (Markdown)
 * @property {Question[]} questions
 * @property {Input} rest the fields of the input that the above does not tell
 * @property {string[]} wording paths of the fields that say what is new: they differ with every edit
 */

/** @param {unknown} value @returns {value is Input} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value @returns {value is string} */
const isText = (value) => typeof value === "string";

/** How the clients call each part of an edit. */
const names = {
  file: ["file_path", "filePath", "path", "file", "filename", "notebook_path", "target_file"],
  before: ["old_string", "oldString", "old_str", "oldText"],
  after: ["new_string", "newString", "new_str", "newText", "new_source"],
  whole: ["content", "contents", "file_text"],
  patch: ["patchText", "patch", "diff", "unified_diff"],
};

/** What tells in words what the edit is for, as Gemini CLI's `replace` has it: no other edit has the same. */
const purpose = "instruction";

/** Fields that say which file it is. */
export const fileNames = new Set(names.file);
/** Fields that may say what is new in that file. */
export const wordingNames = new Set([
  ...names.before,
  ...names.after,
  ...names.whole,
  ...names.patch,
  "edits",
  purpose,
]);

/**
 * The one field of this role; null where there is none, or more than one.
 * @param {Input} input @param {readonly string[]} role
 */
function only(input, role) {
  const found = role.filter((name) => Object.hasOwn(input, name));
  const [name] = found;
  return found.length === 1 && name !== undefined && isText(input[name]) ? name : null;
}

/** @param {Input} input @param {(string | null)[]} taken @returns {Input} */
const without = (input, taken) => Object.fromEntries(Object.entries(input).filter(([name]) => !taken.includes(name)));

/** @param {Input} input @param {string | null} name */
const textAt = (input, name) => (name === null ? "" : /** @type {string} */ (input[name]));

/** @param {Partial<ToolUse> & Pick<ToolUse, "is" | "rest">} some @returns {ToolUse} */
const use = (some) => ({ files: [], acts: null, changes: [], text: "", questions: [], wording: [], ...some });

/** @param {Input} input @param {string} file */
function editOf(input, file) {
  const [before, after] = [only(input, names.before), only(input, names.after)];
  const adds = names.before.every((name) => !Object.hasOwn(input, name));
  if (after === null || (before === null && !adds)) return null;
  // It says what is new, and for Gemini CLI also why.
  const why = isText(input[purpose]) ? [purpose] : [];
  const change = { before: textAt(input, before), after: textAt(input, after), more: {} };
  return use({
    is: "edit",
    files: [textAt(input, file)],
    changes: [change],
    rest: without(input, [file, before, after]),
    wording: [...(before === null ? [] : [before]), after, ...why],
  });
}

/** @param {Input} input @param {string} file */
function editsOf(input, file) {
  const { edits } = input;
  if (!Array.isArray(edits) || edits.length === 0 || !edits.every(isRecord)) return null;
  const read = edits.map((edit) => {
    const [before, after] = [only(edit, names.before), only(edit, names.after)];
    if (before === null || after === null) return null;
    return { before: textAt(edit, before), after: textAt(edit, after), more: without(edit, [before, after]) };
  });
  const changes = read.flatMap((one) => one ?? []);
  if (changes.length < edits.length) return null;
  const rest = without(input, [file, "edits"]);
  return use({ is: "edit", files: [textAt(input, file)], changes, rest, wording: ["edits"] });
}

/** @param {Input} input @param {string} file */
function writeOf(input, file) {
  const whole = only(input, names.whole);
  if (whole === null) return null;
  return use({
    is: "write",
    files: [textAt(input, file)],
    changes: [{ before: "", after: textAt(input, whole), more: {} }],
    rest: without(input, [file, whole]),
    wording: [whole],
  });
}

const act = /^\*\*\* ((?:(?:Add|Update|Delete) File|Move to): (.+))$/;
const frame = /^\*\*\* (?:Begin Patch|End Patch|End of File)$/;
const diffNames = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/gm;

/** The heads of an `apply_patch`. The clients look for them with blanks before them too, so these count as well. */
function headsOf(/** @type {string} */ text) {
  const heads = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line.startsWith("***"));
  const acts = heads.flatMap((line) => act.exec(line)?.[1] ?? []);
  const files = heads.flatMap((line) => act.exec(line)?.[2]?.trim() ?? []);
  const told = heads.every((line) => act.test(line) || frame.test(line));
  return { files, acts: told && acts.length > 0 ? acts : null };
}

/**
 * `apply_patch` of Codex and opencode, and unified diffs. Only that tool takes a patch as its command: in a shell the
 * same words would run.
 * @param {string} tool @param {Input} input
 */
function patchOf(tool, input) {
  const field = only(input, tool === "apply_patch" ? [...names.patch, "input", "command"] : names.patch);
  if (field === null) return null;
  const text = textAt(input, field);
  const known = { is: /** @type {const} */ ("patch"), text, rest: without(input, [field]), wording: [field] };
  if (text.trimStart().startsWith("*** Begin Patch")) {
    const { files, acts } = headsOf(text);
    return use({ ...known, files: [...new Set(files)], acts });
  }
  if (!/^@@ /m.test(text) || !/^(?:---|\+\+\+) /m.test(text)) return null;
  const found = [...text.matchAll(diffNames)].map(([, name]) => (name ?? "").trim());
  return use({ ...known, files: [...new Set(found)].filter((name) => name !== "/dev/null") });
}

/** @param {string} tool @param {Input} input */
function planOf(tool, input) {
  if (tool !== "ExitPlanMode" || !isText(input.plan)) return null;
  return use({ is: "plan", text: input.plan, rest: without(input, ["plan"]) });
}

/** @param {unknown} value @returns {Option | null} */
function optionOf(value) {
  if (!isRecord(value) || !isText(value.label)) return null;
  const description = isText(value.description) ? value.description : "";
  return { label: value.label, description };
}

/** @param {unknown} value @returns {Question | null} */
function questionOf(value) {
  if (!isRecord(value) || !isText(value.question) || !Array.isArray(value.options)) return null;
  const options = value.options.map(optionOf);
  const told = options.flatMap((one) => one ?? []);
  if (told.length < options.length) return null;
  const header = isText(value.header) ? value.header : "";
  return { question: value.question, header, several: value.multiSelect === true, options: told };
}

/** Claude Code's questions to its person. @param {string} tool @param {Input} input */
function questionsOf(tool, input) {
  if (tool !== "AskUserQuestion" || !Array.isArray(input.questions) || input.questions.length === 0) return null;
  const read = input.questions.map(questionOf);
  const questions = read.flatMap((one) => one ?? []);
  const asked = new Set(questions.map(({ question }) => question));
  // Answers go by the question's words, so each must be there once.
  if (questions.length < read.length || asked.size < questions.length) return null;
  return use({ is: "questions", questions, rest: without(input, ["questions", "answers"]) });
}

/**
 * @param {string} tool the client's name of it; "" where it names none
 * @param {Input} input
 * @returns {ToolUse | null} null for whatever else: a command, a request, a tool of another server
 */
export function readToolUse(tool, input) {
  const asked = planOf(tool, input) ?? questionsOf(tool, input);
  if (asked) return asked;
  if (Object.hasOwn(input, "command") && tool !== "apply_patch") return null;
  const patch = patchOf(tool, input);
  const file = only(input, names.file);
  if (file === null) return names.file.some((name) => Object.hasOwn(input, name)) ? null : patch;
  if (patch) return { ...patch, files: [textAt(input, file)], rest: without(patch.rest, [file]) };
  // Gemini CLI says what an edit is for; that is read with it, and stays in sight in `rest`.
  const edit = editOf(input, file) ?? editsOf(input, file) ?? writeOf(input, file);
  if (edit) return edit;
  if (/^(?:delete|remove|rm)(?:_?file)?$/i.test(tool))
    return use({ is: "delete", files: [textAt(input, file)], rest: without(input, [file]) });
  return null;
}
