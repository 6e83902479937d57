// A request's body, whole and of bounded size. What is too big is read on and thrown away, so that the caller
// gets to read the answer.
import type { IncomingMessage } from "node:http";

const limit = 1024 * 1024;

/** @returns the bytes, or null as soon as they are over 1 MiB; rejects when the caller breaks off */
export function bodyOf(req: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(req.headers["content-length"]) > limit) resolve(null);
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        chunks.length = 0;
        resolve(null);
      } else chunks.push(chunk);
    });
    req.on("end", () => resolve(Buffer.concat(chunks)));
    req.on("error", reject);
    req.on("close", () => reject(new Error("the caller broke off")));
  });
}
