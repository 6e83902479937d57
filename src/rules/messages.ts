// Where a program is known to take a free message: words for people, which it shows or stores and does nothing else
// with. Only there may “always allow this” leave an argument open. Never a path, a query, a prompt or a program's input.

interface Program {
  /** The program and its subcommand. A blank parts words. */
  of: string[];
  /** Options whose value is the message; `null`: every argument before an option is one. */
  says: string[] | null;
  /** Other options that take a value, so that the word after them is no option. */
  takes?: string[];
  /** Options without a value. */
  flags?: string[];
  why: string;
}

const listed = (text: string): string[] => text.split(" ");

const programs: Program[] = [
  {
    of: ["git commit"],
    says: listed("-m -am --message"),
    flags: listed("-a --all --amend -n --no-verify -s --signoff -q --quiet -v --verbose --allow-empty --no-edit -S"),
    takes: listed("--author --date"),
    why: "Git stores the commit's message and runs nothing of it.",
  },
  {
    of: ["git tag"],
    says: listed("-m --message"),
    flags: listed("-a --annotate -s --sign -f --force"),
    why: "Git stores the tag's message and runs nothing of it.",
  },
  {
    of: ["git merge", "git notes add", "git notes append", "git stash push"],
    says: listed("-m --message"),
    flags: listed("--no-ff --ff-only --squash -q --quiet -u --include-untracked"),
    why: "Git stores the message and runs nothing of it.",
  },
  {
    of: ["hg commit", "jj commit", "jj describe", "svn commit"],
    says: listed("-m --message"),
    why: "The commit's message is stored and shown.",
  },
  {
    of: ["gh pr comment", "gh issue comment", "gh pr review"],
    says: listed("-b --body"),
    flags: listed("-a --approve -r --request-changes -c --comment"),
    takes: listed("-R --repo"),
    why: "GitHub shows the comment to people; a file for it has an option of its own.",
  },
  {
    of: ["gh pr create", "gh issue create"],
    says: listed("-t --title -b --body"),
    flags: listed("-d --draft"),
    takes: listed("-R --repo -B --base -H --head -l --label -a --assignee -r --reviewer -m --milestone"),
    why: "GitHub shows title and body to people; a file for it has an option of its own.",
  },
  {
    of: ["gh pr close", "gh issue close"],
    says: listed("--comment"),
    takes: listed("-R --repo -r --reason"),
    why: "GitHub shows the comment to people.",
  },
  {
    of: ["glab mr note", "glab issue note"],
    says: listed("-m --message"),
    takes: listed("-R --repo"),
    why: "GitLab shows the comment to people.",
  },
  { of: ["echo"], says: null, why: "It prints its arguments. A redirection into a file is no plain command." },
  { of: ["notify-send"], says: null, why: "It shows its arguments to whoever sits before the screen." },
];

const entries = programs.flatMap((one) => one.of.map((words) => ({ ...one, words: listed(words) })));

/** Where the message begins in an argument: behind `--message=`, or at its first character. */
export type Messages = ReadonlyMap<number, string>;

/**
 * The arguments that are messages, each with what stands before the message in the same word (`""` or `--message=`).
 * What stands behind an option that the table does not know is none: it may be that option's value.
 * @param argv null: a word that is not known, as in a pattern
 */
export function messagesIn(argv: ReadonlyArray<string | null>): Messages {
  const found = new Map<number, string>();
  const entry = entries.find(({ words }) => words.every((word, at) => argv[at] === word));
  if (!entry) return found;
  for (let at = entry.words.length; at < argv.length; at++) {
    const word = argv[at] ?? null;
    if (entry.says === null) {
      if (word?.startsWith("-")) break;
      found.set(at, "");
      continue;
    }
    if (word === null || !word.startsWith("-")) continue;
    const [option = "", value] = word.startsWith("--") ? parted(word) : [word];
    const isMessage = entry.says.includes(option);
    if (isMessage && value !== undefined) found.set(at, `${option}=`);
    else if (isMessage) found.set(++at, "");
    else if (entry.takes?.includes(option)) at += value === undefined ? 1 : 0;
    else if (!entry.flags?.includes(word)) break;
  }
  return found;
}

/** `--option` and its value, or the option alone. */
function parted(word: string): [option: string, value?: string] {
  const at = word.indexOf("=");
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
