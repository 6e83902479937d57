// The settings by which an agent is made to ask: the hooks and servers of its client, and what git runs by itself. The
// one list: a change to them is asked for as high risk (hooks/question.ts), and no rule allows it (rules/).

/** Files and folders, of lower-case paths with forward slashes. */
const files: ReadonlyArray<readonly [whose: string, path: string]> = [
  ["Claude Code's hooks, permissions and plugins", "\\.claude/(?:settings|hooks|plugins)"],
  ["Claude Code's servers", "\\.claude\\.json"],
  ["servers of a project", "\\.mcp\\.json"],
  ["Claude Code's settings of an organisation", "claude-code/managed-"],
  ["Codex's hooks and servers", "\\.codex/(?:config\\.toml|hooks|managed|requirements)"],
  ["Gemini CLI's hooks, servers and trusted folders", "\\.gemini/(?:settings|hooks|extensions|trustedfolders)"],
  ["Cursor's hooks, servers and permissions", "\\.cursor/(?:hooks|mcp|cli(?:-config)?\\.json)"],
  ["VS Code's servers, and what it runs unasked", "\\.vscode/(?:mcp|settings)\\.json"],
  ["opencode's plugins and servers", "\\.?opencode/(?:plugins?(?:/|$)|config\\.json)"],
  ["opencode's settings", "(?:\\.?opencode/)?opencode\\.jsonc?"],
  [
    "git's hooks and the programs that it starts",
    "(?:\\.git|git~\\d)/(?:hooks|config|commondir|info|modules|worktrees)",
  ],
  ["git's settings of the user", "\\.gitconfig|\\.config/git/"],
  [
    "a repository's hooks",
    "\\.githooks|\\.husky|\\.lefthook|\\.?lefthook\\.(?:ya?ml|toml|json)|\\.pre-commit-config\\.ya?ml",
  ],
];
/** Settings by their names, wherever they stand. */
const names = /disableallhooks|hooksconfig|core\.hookspath/;
const folders = /(?:^|\/)(?:\.claude|\.codex|\.gemini|\.cursor|\.opencode|\.config\/(?:opencode|git)|\.git|git~\d)$/;

const inText = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${files.map(([, path]) => path).join("|")})`, "u");
const isNamed = (text: string): boolean => inText.test(text) || names.test(text);

/** Whether any text in it names such settings: also in capitals, with `./`, `//`, `..`, quotes or invisible characters. */
export const namesGateSettings = (action: unknown): boolean =>
  textsIn(action).some((text) => spellings(text).some(isNamed));

/**
 * Whether one of these words, taken as a path, leads to such settings.
 * @param from the folders that it may start in
 */
export function leadsToGateSettings(words: readonly string[], from: readonly string[]): boolean {
  const bare = words.flatMap((word) => [word, ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : [])]);
  const paths = bare.flatMap((word) => [word, ...from.map((folder) => `${folder}/${word}`)]);
  return paths.some((path) => spellings(path).some((one) => isNamed(one) || folders.test(one.replace(/\/+$/, ""))));
}

/** As a file system may read it: as it stands, without quotes, and with `..` followed. */
function spellings(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replaceAll("\\", "/");
  const forms = [plain, plain.replace(/['"`]/g, ""), ...(plain.includes("%") ? [unescaped(plain)] : [])];
  return [...new Set(forms.flatMap((form) => [straight(form, false), straight(form, true)]))];
}

/** Without empty steps and `.`; dots and blanks at the end of a step count for nothing on some systems. */
function straight(path: string, follow: boolean): string {
  const steps: string[] = [];
  for (const [at, step] of path.split("/").entries()) {
    if ((step === "" && at > 0) || step === ".") continue;
    if (step === ".." && follow && steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else steps.push(/^\.+$/.test(step) ? step : step.replace(/[. ]+$/, ""));
  }
  return steps.join("/");
}

const unescaped = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)).toLowerCase());

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...textsIn(inner)]);
}
