// Other processes on the same store, for tests that need real ones.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const hammerFile = new URL("./hammer.ts", import.meta.url);
const holdFile = new URL("./hold.ts", import.meta.url);

const start = (file: URL, ...words: string[]): ChildProcess =>
  spawn(process.execPath, ["--import", "tsx", fileURLToPath(file), ...words], { stdio: ["ignore", "pipe", "pipe"] });

/** Resolves to what it said on stderr, which is nothing when all went well. */
export async function hammer(where: string, room: string, times: number): Promise<string> {
  const child = start(hammerFile, where, room, String(times));
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  return code === 0 ? said : `${said}\nexit code ${code}`;
}

/** A process that is inside a write in `room`; `kill` ends it there, and resolves when it is gone. */
export async function hold(where: string, room: string): Promise<{ kill(): Promise<void> }> {
  const child = start(holdFile, where, room);
  if (child.stdout) await once(child.stdout, "data");
  return {
    async kill() {
      const gone = once(child, "close");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
