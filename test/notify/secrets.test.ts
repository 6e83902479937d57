// What must not lie on a lock screen, form by form; and the words that may.
import { describe, expect, it } from "vitest";
import { masked } from "../../src/notify/secrets.ts";

const secrets: ReadonlyArray<readonly [form: string, text: string, secret: string]> = [
  ["OpenAI", "use sk-proj-abcdefgh1234", "abcdefgh1234"],
  ["Stripe", "charge with sk_live_4eC39HqLyjWD", "4eC39HqLyjWD"],
  ["GitHub", "push with ghp_abcdefghijklmnop1234", "abcdefghijklmnop"],
  ["GitHub, fine-grained", "github_pat_11ABCDEFG_abcdef", "11ABCDEFG"],
  ["GitLab", "glpat-abcdefgh-1234", "abcdefgh-1234"],
  ["Slack", "xoxb-1234567890-abcdef", "1234567890"],
  ["AWS", "as AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"],
  ["Google", "AIzaSyA1234567890abcdefghijklmnop", "SyA1234567890"],
  ["npm", "npm_abcdefghijkl", "abcdefghijkl"],
  ["Parley", "parley_x9Kd02jf8s", "x9Kd02jf8s"],
  ["a JSON Web Token", "cookie eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "eyJzdWIi"],
  ["Bearer", "curl -H 'Authorization: Bearer abc.def-123' https://x", "abc.def-123"],
  ["Basic", "Basic dXNlcjpwYXNz please", "dXNlcjpwYXNz"],
  ["a password", "login with password=hunter2", "hunter2"],
  ["a password with blanks", 'set "password": "two words here"', "two words"],
  ["a variable", "PGPASSWORD=hunter2 psql", "hunter2"],
  ["an option", "deploy --token=abc123", "abc123"],
  ["an option and its word", "deploy --api-key abc123 now", "abc123"],
  ["curl's user", "curl -u bob:hunter2 https://x", "hunter2"],
  ["mysql's password", "mysql -uroot -phunter2 shop", "hunter2"],
  ["redis's password", "redis-cli -h db -a hunter2 get x", "hunter2"],
  ["sshpass", "sshpass -p hunter2 ssh db", "hunter2"],
  ["an account's key", "Name=x;AccountKey=aGVsbG8=;", "aGVsbG8"],
  ["a URL's signature", "get https://x.example/a?se=1&sig=abc%2Fdef", "abc%2Fdef"],
  ["a URL's signature, in full", "get https://x.example/a?X-Amz-Signature=abcdef01", "abcdef01"],
  ["a URL's key", "get https://x.example/a?key=abcdef", "abcdef"],
  ["a URL's user", "clone https://bob:hunter2@example.com/a", "hunter2"],
  ["a database's URL", "migrate postgres://app:s3cr3t@db/app", "s3cr3t"],
  ["a private key", "-----BEGIN RSA PRIVATE KEY----- MIIEpAIB", "MIIEpAIB"],
  ["a webhook's address", "post to https://hooks.slack.com/services/T00/B00/xyz", "T00/B00"],
  ["chance", "key Kb9sX2mQ7vL4pR8tW1zY", "Kb9sX2mQ7vL4"],
  ["chance in base64", "key dGhpc2lzYXNlY3JldDEyMzQ1Njc4OTA=", "dGhpc2lz"],
  ["chance in hex", "key 3f2a9c1b7d8e4f5a6b7c8d9e0f1a2b3c", "3f2a9c1b"],
];

describe("D8: what looks like a secret is masked", () => {
  it.each(secrets)("%s", (_form, text, secret) => {
    expect(masked(text)).not.toContain(secret);
    expect(masked(text)).toContain("•••");
  });

  it.each([
    "Deploy release 2026-11-30 to production",
    "Merge feature/add-user-authentication-flow-v2 into main",
    "Run migration 0042_add_users_table_index on staging",
    "Rename handleUserV2AuthenticationFlow",
    "Delete task 0198e3b2-7c1d-7e2f-9a1b-2c3d4e5f6a7b",
    "Add password reset page",
    "Read https://example.com/path/to/some/long/document/page2.html",
    "Upgrade @modelcontextprotocol/sdk to 1.32.2",
    "Author: bob",
  ])("plain words stay: %s", (text) => {
    expect(masked(text)).toBe(text);
  });

  it("no text of a title's length takes time, whatever stands in it", () => {
    const began = performance.now();
    for (const one of ["a", "-p ", "token ", "a1", "://", "-token-", "eyJ", "-----BEGIN "])
      masked(`mysql ${one.repeat(200)}`.slice(0, 200));
    expect(performance.now() - began).toBeLessThan(500);
  });
});
