// Answers that nobody takes up lie in this process's memory: whoever reads nothing for a while is cut off.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long an answer that is complete may lie without any of it being taken up (ms). */
export const unreadFor = 30_000;

/** The answer that each connection is busy with last; several may be asked for at once. */
const last = new WeakMap<Socket, ServerResponse>();

/** Starts once the answer is complete: a call that is held may be silent for minutes. Node counts each partial write. */
export function boundUnread(res: ServerResponse, ms: number): void {
  const { socket } = res.req;
  res.on("prefinish", () => {
    last.set(socket, res);
    socket.setTimeout(ms);
  });
  res.on("finish", () => {
    // Node has set its own for a connection that is kept, unless another request follows already.
    if (last.get(socket) === res && socket.timeout === ms) socket.setTimeout(0);
  });
}
