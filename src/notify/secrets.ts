// What looks like a secret, masked: notices leave the machine and lie on lock screens. Better a word too many than one
// too few, so this is a table of forms and not a check of any. An own short table: the maintained ones (secretlint,
// gitleaks) are programs with a hundred packages, or ask the network.

const mask = "•••";

/** The forms of tokens by what issues them; each ends where its letters end. */
const tokens = [
  /\b(?:sk|rk|pk|whsec)[-_][A-Za-z0-9_-]{8,}/, // OpenAI, Anthropic, Stripe
  /\b(?:gh[oprsu]|github_pat)_\w{8,}/, // GitHub
  /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat)-[\w-]{8,}/, // GitLab
  /\bx(?:ox[a-z]|app|wfp)-[\w-]{8,}/, // Slack
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/, // AWS
  /\bAIza[\w-]{20,}|\bya29\.[\w-]{8,}|\bGOCSPX-[\w-]{8,}/, // Google
  /\b(?:npm|hf|dckr_pat|dop_v1|doo_v1|shpat|shpss|shpca|lin_api|pul|figd|sbp|ntn|secret|parley|tk)_\w{8,}/, // as named
  /\b(?:pypi|dp\.pt|atlasv1|SG|AGE-SECRET-KEY|PMAK|xkeysib)[-.][\w.-]{12,}/,
  /\beyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?/, // JSON Web Tokens
  /\bhttps:\/\/hooks\.slack\.com\/\S+|\bhttps:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\S+/,
];

/** Words that say that a secret follows. */
const naming =
  "(?:pass(?:word|wd|phrase|code|(?![a-z]))|pwd|secret|token|api[-_]?key|access[-_]?key|authorization|auth(?!or)|credentials?|(?:account|encryption|master|private|shared|signing)[-_]?key|session[-_]?(?:id|key)|signature|cookie)";
const value = `(?:"[^"]*"?|'[^']*'?|\\S+)`;

const told: ReadonlyArray<readonly [RegExp, string]> = [
  // A private key to the end of the text: a title has one line.
  [/-----BEGIN [A-Z ]*PRIVATE KEY[\s\S]*/g, mask],
  // The user and password of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi, `$1${mask}@`],
  [/\b(Bearer|Basic|Digest|Negotiate)\s+[\w.~+/=-]{6,}/gi, `$1 ${mask}`],
  // `password=…`, `DB_PASSWORD: …`, `"token": "…"`.
  [new RegExp(`([\\w-]*${naming}[\\w-]*["']?\\s*[=:]\\s*)(?!•)${value}`, "gi"), `$1${mask}`],
  // `--password …`; a value that is an option is none.
  [new RegExp(`((?<!\\S)--?[\\w-]*${naming}[\\w-]*\\s+)(?![-•])${value}`, "gi"), `$1${mask}`],
  // `curl -u name:word`, `mysql -pword`.
  [/(\s-u\s+|\s--user[ =])[^\s:]+:\S+/g, `$1${mask}`],
  [/(\bmysql\w*\b.*\s-p)[^\s-]\S*/g, `$1${mask}`],
  // `sshpass -p word`, `redis-cli -a word`; the key or signature of a URL.
  [/(\b(?:sshpass\b.{0,80}?\s-p|redis-cli\b.{0,80}?\s-a)\s*)[^\s•]\S*/g, `$1${mask}`],
  [/([?&](?:key|sig|code)=)[^&\s•]+/gi, `$1${mask}`],
  ...tokens.map((form) => [new RegExp(form.source, "g"), mask] as const),
];

/** Letters and digits without a blank; a part of them between `/ . _ - =` may be chance. */
const run = /[A-Za-z0-9+/=_.-]{16,}/g;

/** Which kind a character is: chance changes the kind often, words do so seldom. */
const kindOf = (char: string): string => (/\d/.test(char) ? "digit" : /[a-z]/.test(char) ? "lower" : "upper");

function isChance(part: string): boolean {
  if (part.length < 16 || !/\d/.test(part) || !/[A-Za-z]/.test(part)) return false;
  if (/^[0-9a-f]{32,}$/i.test(part)) return true;
  const kinds = [...part].map(kindOf);
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes / (part.length - 1) >= 0.3;
}

/** The text with `•••` in place of whatever looks like a secret. */
export function masked(text: string): string {
  let shown = text;
  for (const [form, instead] of told) shown = shown.replace(form, instead);
  return shown.replace(run, (found) => (found.split(/[/._=-]/).some(isChance) ? mask : found));
}
