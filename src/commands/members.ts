// parley member, token, room: who may come in.

import { out, table } from "./print.ts";
import { operate } from "./store.ts";

type Row = Record<string, unknown>;
const rowsOf = (value: unknown): Row[] => value as Row[];

export interface AddOptions {
  person?: boolean;
  role?: string;
  skills?: string;
  room?: string;
  contextTokens?: number;
  json?: boolean;
}

export async function addMember(name: string, options: AddOptions): Promise<void> {
  const { member, token, role, room } = await operate("add_member", {
    name,
    room: options.room ?? "main",
    ...(options.person && { person: true }),
    ...(options.role && { role: options.role }),
    ...(options.skills && {
      skills: options.skills
        .split(",")
        .map((skill) => skill.trim())
        .filter(Boolean),
    }),
    ...(options.contextTokens && { context_tokens: options.contextTokens }),
  });
  if (options.json) return out(JSON.stringify({ member, token }));
  out(`${member} is ${role} in ${room}. ${token ? "Its token, shown only now:" : "It keeps the token it has."}`);
  if (token) out(String(token));
}

export async function listMembers(options: { room?: string; json?: boolean }): Promise<void> {
  const { members } = await operate("list_members", { room: options.room ?? "main" });
  if (options.json) return out(JSON.stringify(members));
  const shown = rowsOf(members).map((m) => [m.name, m.kind, m.server_role ?? m.role, m.state, m.last_seen ?? "never"]);
  table(["name", "kind", "role", "state", "last heard of"], shown);
}

export async function removeMember(name: string): Promise<void> {
  await operate("remove_member", { member: name });
  out(`${name} was removed; its tokens no longer work.`);
}

export async function setRole(name: string, role: string, options: { room?: string }): Promise<void> {
  await operate("set_role", { member: name, role, room: options.room ?? "main" });
  out(`${name} is now ${role} in ${options.room ?? "main"}.`);
}

export async function issueToken(name: string, options: { label?: string; json?: boolean }): Promise<void> {
  const { member, token } = await operate("issue_token", {
    member: name,
    ...(options.label && { label: options.label }),
  });
  out(options.json ? JSON.stringify({ member, token }) : String(token));
}

export async function revokeToken(id: string): Promise<void> {
  await operate("revoke_token", { token_id: id });
  out(`Token ${id} no longer works.`);
}

export async function listTokens(name: string | undefined, options: { json?: boolean }): Promise<void> {
  const { tokens } = await operate("list_tokens", name ? { member: name } : {});
  if (options.json) return out(JSON.stringify(tokens));
  const shown = rowsOf(tokens).map((t) => [
    t.id,
    t.member,
    t.label,
    t.used_at ?? "never",
    t.revoked_at ? "revoked" : "",
  ]);
  table(["id", "member", "label", "last used", ""], shown);
}

export async function addRoom(name: string, options: { title?: string; open?: boolean }): Promise<void> {
  await operate("create_room", {
    room: name,
    ...(options.title && { title: options.title }),
    open: options.open ?? false,
  });
  out(`The room ${name} is made.`);
}
