// Programs that run what their arguments, or the files these name, say: the one list, with a reason for each group. An
// allow rule that leaves a word open never matches them; deny and raise rules look at what stands behind.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Whole programs: whatever stands behind may be run. */
const programs: ReadonlyArray<readonly [why: string, names: string]> = [
  [
    "starts the command that follows, as another user, with other limits, elsewhere or later",
    `sudo doas su runuser pkexec gosu su-exec setpriv capsh env nice ionice chrt taskset numactl nohup setsid setarch
    linux32 linux64 stdbuf unbuffer script scriptreplay rlwrap time timeout chroot unshare nsenter bwrap firejail
    fakeroot fakechroot proot faketime proxychains torsocks torify prlimit chpst softlimit envdir systemd-run
    systemd-inhibit start-stop-daemon daemonize tini dumb-init catchsegv caffeinate xvfb-run dbus-run-session
    dbus-launch cgexec ld-linux ld-linux-x86-64.so ld-linux-aarch64.so ld-musl flock at batch crontab cross-env dotenv
    dotenvx direnv aws-vault envchain chronic ifne tsp nq run0 runcon choom uclampset sg cpulimit trickle eatmydata
    cgclassify nsjail machinectl flatpak-spawn distrobox toolbox doppler op infisical chamber sops dockerize retry`,
  ],
  [
    "starts the command that follows, once or again, and watches it",
    `xargs parallel watch watchexec entr nodemon concurrently hyperfine perf strace ltrace gdb lldb valgrind expect
    foreman honcho overmind pm2 forever tmux screen zellij dtach abduco`,
  ],
  [
    "a shell, or a word of the shell that runs what follows",
    `sh bash rbash dash zsh ksh mksh fish csh tcsh ash nu nushell elvish xonsh busybox toybox powershell pwsh cmd wsl
    eval exec source command builtin yash oksh pdksh`,
  ],
  [
    "an interpreter: runs code, or a file of code, that its arguments name",
    `python pythonw pypy ipython jupyter perl raku ruby irb erb jruby node nodejs deno bun tsx ts-node php lua luajit
    tclsh wish rscript r julia ghci runghc runhaskell java javaw jshell groovy kotlin scala elixir iex erl escript
    clojure clj sbcl clisp guile racket swift dart octave gnuplot awk gawk mawk nawk sed m4 dc ed ex vi vim nvim emacs
    emacsclient osascript cscript wscript mshta rundll dotnet vite-node ts-node-esm swc-node babel-node esno zx coffee
    electron graalpy micropython crystal wine mono`,
  ],
  [
    "a build tool: runs what its files say for the targets that are named",
    `make gmake nmake ninja rake gradle gradlew mvn mvnw ant sbt lein mix bazel buck scons invoke fab tox nox gulp grunt
    just`,
  ],
  [
    "fetches or finds a package's program, and runs it with what follows",
    `npx bunx pnpx pnpm uv uvx pipx dlx poetry pipenv pdm hatch rye conda mamba micromamba pixi bundle bundler rbenv
    pyenv nodenv asdf mise volta fnm rustup nix nix-shell guix devbox`,
  ],
  [
    "runs what follows on another machine or in a container",
    `ssh mosh rsync sftp docker podman nerdctl buildah lxc incus kubectl oc ctr crictl vagrant ansible pdsh clush
    autossh sshpass multipass limactl socat`,
  ],
  [
    "a database's console: its commands start a shell and read and write files",
    "psql mysql mariadb sqlite sqlite3 duckdb mongo mongosh redis-cli sqlplus cqlsh clickhouse-client",
  ],
  ["an agent: does what its prompt says", "claude codex gemini opencode aider goose cursor-agent qwen crush llm"],
];

/** Programs that run another one only with these words, in this order; an option may carry its value behind it. */
const parts: ReadonlyArray<readonly [why: string, program: string, words: string]> = [
  ["runs the words that follow", "git", "bisect run"],
  ["runs the words that follow in each submodule", "git", "submodule foreach"],
  ["runs the words that follow in each repository", "git", "for-each-repo"],
  ["sets programs that git starts: aliases, core.fsmonitor, core.hooksPath, pagers", "git", "config"],
  ["its filters are commands", "git", "filter-branch"],
  ["its callbacks are code", "git", "filter-repo"],
  ["runs a hook", "git", "hook run"],
  ["starts a program to look at differences", "git", "difftool"],
  ["starts a program to merge", "git", "mergetool"],
  ["starts a web server that is named", "git", "instaweb"],
  ["starts a program to send with", "git", "send-email"],
  ["runs a command after each commit", "git", "rebase -x"],
  ["starts a pager that is named", "git", "grep -O"],
  ["starts a pager that is named", "git", "grep --open-files-in-pager"],
  ["sets programs that git starts", "git", "clone --config"],
  ["its template brings hooks", "git", "clone --template"],
  ["its template brings hooks", "git", "init --template"],
  ["runs a package's program", "npm", "exec"],
  ["runs a package's program", "npm", "x"],
  ["runs a command in a package's folder", "npm", "explore"],
  ["runs a package's program", "npm", "init"],
  ["runs a package's program", "npm", "innit"],
  ["runs a package's program", "npm", "create"],
  ["sets the shell and the programs that npm starts", "npm", "config"],
  ["sets the shell and the programs that npm starts", "npm", "set"],
  ["names the shell that runs scripts", "npm", "--script-shell"],
  ["runs a package's program", "yarn", "exec"],
  ["runs a package's program", "yarn", "create"],
  ["runs code", "yarn", "node"],
  ["runs a package's program", "yarn", "dlx"],
  ["runs a command in each package", "lerna", "exec"],
  ["runs a package's program", "composer", "exec"],
  ["runs a package's program", "gem", "exec"],
  ["runs a program of the code", "zig", "run"],
  ["runs a program of the code", "go", "run"],
  ["runs the commands that files hold", "go", "generate"],
  ["runs a tool that is named", "go", "tool"],
  ["runs a tool that is named", "go", "-toolexec"],
  ["runs a tool that is named", "go", "-vettool"],
  ["runs a program of the code", "cargo", "run"],
  ["runs a program of the code", "cargo", "r"],
  ["sets the programs that cargo starts", "cargo", "--config"],
  ["runs what follows on another machine", "heroku", "run"],
  ["runs what follows on another machine", "heroku", "ps:exec"],
  ["runs what follows on another machine", "fly", "ssh"],
  ["runs what follows on another machine", "flyctl", "ssh"],
  ["runs what follows on another machine", "gcloud", "ssh"],
  ["runs what follows on another machine", "gh", "codespace ssh"],
  ["an alias may be a command", "gh", "alias"],
  ["runs code", "rails", "runner"],
  ["runs what follows in another network", "ip", "exec"],
  ["runs a command for each file", "fd", "-x"],
  ["runs a command for all files", "fd", "-X"],
  ["runs a command on each file", "rg", "--pre"],
  ["runs a command to pack with", "sort", "--compress-program"],
  ["runs a command on each part", "split", "--filter"],
  ["runs a command to test with", "zip", "-TT"],
  ["runs a command on each file", "tcpdump", "-z"],
  ["starts a pager that is named", "man", "-P"],
  ["starts a program to connect with", "scp", "-S"],
  ["reads options from a file", "curl", "-K"],
  ["reads options from a file", "curl", "--config"],
  ...["gcc", "g++", "cc", "c++", "clang", "clang++"].flatMap((program) =>
    ["-wrapper", "-fplugin", "-B"].map((option) => ["starts a program that is named", program, option] as const),
  ),
];

/** Options that carry something to run, of whatever program. */
const carriers = new Set(
  words(`-c -e -exec -execdir -ok -okdir --eval --exec --execute --exec-batch --command --config-env --exec-path
  --extcmd --upload-pack --receive-pack --to-command --checkpoint-action --use-compress-program --info-script
  --new-volume-script --rmt-command --rsh --pager`),
);
/** Words of the shell itself that stand where a program would. */
const keywords = new Set(
  words(". ! { ( [[ if then elif else while until do for case select function coproc trap alias"),
);
/** Programs whose first argument is a bundle of options also without a dash; tar's `I` and `F` run a program. */
const bundlers = new Set(words("tar bsdtar gtar ps ar dd unzip zip jar 7z 7za rar unrar"));

const runners = new Set(programs.flatMap(([, names]) => words(names)));
const partly = new Map<string, string[][]>();
for (const [, program, said] of parts) partly.set(program, [...(partly.get(program) ?? []), words(said)]);

/** What a program's name says, without its folder and ending, in lower case. */
const baseOf = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");

/** What a program's name says, without its folder, platform, version and ending: `python` for `python3.13t-dbg`. */
export const nameOf = (word: string): string =>
  baseOf(word)
    .replace(/-(?:x86_64|aarch64|amd64|arm64|i[3-6]86)(?:-[a-z0-9_]+)*$/, "")
    .replace(/[-_.](?:dbg|debug|dev|bin|real|original|stable|nightly|lts)$/, "")
    .replace(/[-.]?\d[\d.]*(?:t|d|td|dm|m|u|(?:rc|a|b)\d+)?$/, "")
    .replace(/[-.\d]+$/, "");

const isRunner = (word: string): boolean => runners.has(baseOf(word)) || runners.has(nameOf(word));
const isBundler = (word: string): boolean => bundlers.has(baseOf(word)) || bundlers.has(nameOf(word));
const isCarrier = (word: string): boolean => carriers.has(word.split("=")[0] ?? "") || /^(?:ext|fd)::/.test(word);
const carries = (argv: readonly string[]): boolean =>
  isBundler(argv[0] ?? "") && /tar$/.test(nameOf(argv[0] ?? "")) && /^-?[A-Za-z]*[IF]/.test(argv[1] ?? "");

/** Programs that take the beginning of a subcommand for the whole: `npm exe`. */
const shortening = new Set(words("npm ip"));

/** An option also with its value in the same word: `--pre=x`, `-xrm`. @param short also by its first letters */
const isSaid = (said: string, word: string, short: boolean): boolean =>
  word === said ||
  (short && word.length > 2 && said.startsWith(word)) ||
  (said.startsWith("--") ? word.startsWith(`${said}=`) : said.startsWith("-") && word.startsWith(said));

/** Where the words begin that such a part of a program may run; null where it is none. */
function behind(argv: readonly string[]): number | null {
  const program = argv[0] ?? "";
  const short = shortening.has(nameOf(program));
  let first: number | null = null;
  for (const said of [...(partly.get(baseOf(program)) ?? []), ...(partly.get(nameOf(program)) ?? [])]) {
    let next = 0;
    const at = argv.findIndex((word, i) => i > 0 && isSaid(said[next] ?? "", word, short) && ++next === said.length);
    if (at > 0) first = Math.min(first ?? at + 1, at + 1);
  }
  return first;
}

/**
 * The word behind which something else may run: a leading assignment, an interpreter, a wrapper, an option that carries
 * a command. Null where none of the words is one.
 */
export function runnerIn(argv: readonly string[]): string | null {
  const first = argv[0] ?? "";
  if (/^[A-Za-z_]\w*\+?=/.test(first) || keywords.has(first)) return first;
  const from = behind(argv);
  if (from !== null) return argv[from - 1] ?? first;
  if (carries(argv)) return argv[1] ?? first;
  return argv.find((word) => isRunner(word) || isCarrier(word)) ?? null;
}

/** Whether what runs may not be what stands in front. */
export const runsAnother = (argv: readonly string[]): boolean => runnerIn(argv) !== null;

/** Whether the first argument is read as options though it has no dash. */
export const bundlesOptions = (program: string): boolean => isBundler(program);

/** The places of an argv from which on its words may be a command. */
export function commandsBegin(argv: readonly string[]): number[] {
  const all = isRunner(argv[0] ?? "");
  const from = behind(argv) ?? Number.POSITIVE_INFINITY;
  return argv.flatMap((word, at) => {
    if (at === 0) return [];
    return all || at >= from || isCarrier(argv[at - 1] ?? "") || isCarrier(word) ? [at] : [];
  });
}

/** The command lines that a word may hold: all of it, and what stands behind `--exec=`, `alias.x=!` or `PAGER=`. */
export function linesIn(word: string): string[] {
  const behind = word.replace(/^-[^\s=]*=/, "");
  const value = /^[A-Za-z][\w.-]*=(.*)$/s.exec(behind)?.[1];
  return [behind, ...(value === undefined ? [] : [value])].map((line) => line.replace(/^!/, ""));
}
