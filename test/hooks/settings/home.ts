// A home folder with made-up settings, and `parley connect` and `parley doctor` in this very process on it.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { type ConnectOptions, connect } from "../../../src/commands/connect.ts";
import { doctor } from "../../../src/commands/doctor.ts";

export const token = "parley_made-up";
/** Nobody listens there: the token is taken as it is. */
const url = "http://127.0.0.1:9";

interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Home {
  folder: string;
  at(file: string): string;
  has(file: string, text: string | Buffer): void;
  text(file: string): string;
  /** Every file, with its bytes, or the link that it is. */
  everything(): Record<string, string>;
  connect(client: string, options?: ConnectOptions, env?: Record<string, string>): Promise<Ran>;
  /** @param project the folder that it runs in, below the home */
  doctor(client?: string, env?: Record<string, string>, project?: string): Promise<Ran>;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function openHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "parley-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (file: string) => join(folder, file);
  const ran = async (env: Record<string, string>, project: string, run: () => Promise<number>): Promise<Ran> => {
    const said = { out: "", err: "" };
    const listen = (stream: "stdout" | "stderr", to: "out" | "err") =>
      vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
        said[to] += String(chunk);
        return true;
      });
    const spies = [listen("stdout", "out"), listen("stderr", "err")];
    const clean = { PARLEY_URL: url, PARLEY_TOKEN: token, PARLEY_STORE: at("store.db"), HOME: folder, ...env };
    for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries(clean)) vi.stubEnv(name, value);
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(at(project));
    try {
      return { code: await run(), ...said };
    } finally {
      for (const spy of [...spies, cwd]) spy.mockRestore();
      vi.unstubAllEnvs();
    }
  };
  return {
    folder,
    at,
    has(file, text) {
      mkdirSync(dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    text: (file) => readFileSync(at(file), "utf8"),
    everything: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, encoding: "utf8" })
          .filter((file) => !lstatSync(at(file)).isDirectory())
          .map((file) => [file, isFile(at(file)) ? readFileSync(at(file), "latin1") : "a link to no file"]),
      ),
    connect: (client, options = {}, env = {}) =>
      ran(env, "", () => connect(client, "ada", { write: true, ...options }, Date.UTC(2026, 10, 30))),
    doctor: (client, env = {}, project = "") => ran(env, project, () => doctor(client === undefined ? {} : { client })),
  };
}
