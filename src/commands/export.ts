// parley export: a conversation as one text on stdout.
import { put } from "./print.ts";
import { operate } from "./store.ts";

/** @param raw as it was said, on a terminal too */
export async function exportConversation(
  raw: boolean,
  options: { room: string; channel: string; format: string },
): Promise<void> {
  const text = String((await operate("export_conversation", { ...options })).text);
  if (raw) process.stdout.write(text);
  else put(text);
}
