// parley export: a conversation as one text on stdout.
import { operate } from "./store.ts";

export async function exportConversation(options: { room: string; channel: string; format: string }): Promise<void> {
  process.stdout.write(String((await operate("export_conversation", { ...options })).text));
}
