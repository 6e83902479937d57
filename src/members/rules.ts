// Roles, names and derived presence: pure.
import { Refusal } from "../refusal.ts";

export const agentRoles = ["lead", "worker", "reviewer", "observer"] as const;
export const personRoles = ["approver", "viewer"] as const;
export type AgentRole = (typeof agentRoles)[number];
export type PersonRole = (typeof personRoles)[number];
export type Role = AgentRole | PersonRole;
export type ServerRole = "owner";
void Refusal;
