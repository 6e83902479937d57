// Parley's own tools by their full names. They ask a person themselves, so a hook lets them pass. A prefix is not
// enough: a server called parley__x has tools that begin alike.

const names = `whoami create_task list_tasks get_task task_tree claim_task next_task release_task submit_result
  update_task review_task cancel_task floor say request_floor withdraw_request keep_floor pass_floor wait_for_floor
  open_floor take_floor grant_floor revoke_floor deny_request pause_floor resume_floor close_floor conversation
  floor_report export_conversation request_approval wait_for_feedback report_blocker wait_for_gate get_gate list_gates
  withdraw_gate gate_result permission_prompt post_message read_messages wait_for_message archive_messages
  delete_message purge_messages list_members set_presence list_rooms join_room leave_room get_audit_log`.split(/\s+/);

/** The tools that Parley's server offers over MCP, each by its bare name. */
export const ownTools: ReadonlySet<string> = new Set(names);

/** Whether `tool` is a tool of the server called parley, as a client names it: `mcp__parley__whoami`. */
export const isOwnTool = (tool: string, prefix = "mcp__parley__"): boolean =>
  tool.startsWith(prefix) && ownTools.has(tool.slice(prefix.length));
