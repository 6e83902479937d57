// One JSON-RPC request to its response, whatever it came over: a fresh SDK server puts it to the spine.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolResult,
  ErrorCode,
  type JSONRPCRequest,
  type RequestId,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Logger } from "pino";
import type { Result } from "../../action.ts";
import { isNamedOperator } from "../../floor/channels.ts";
import type { Caller } from "../../members/caller.ts";
import type { Answer } from "../../perform.ts";
import { Refusal } from "../../refusal.ts";
import type { Table } from "../../table.ts";
import { refusalOf } from "../answer.ts";
import { instructions } from "./instructions.ts";
import { openTools, type Toolsets } from "./tools.ts";

export interface McpOptions {
  table: Table;
  log: Logger;
  /** What the server calls itself. */
  name: string;
  version: string;
  /** Which toolsets are listed (`PARLEY_TOOLSETS`); all where none are named. */
  toolsets?: readonly string[] | undefined;
  /** Aborted when this process ends. */
  ending?: AbortSignal;
}

/** What one request comes with. */
export interface Asked {
  /** Who asks; a thrown refusal answers the request. */
  who: () => Promise<Caller>;
  /** The toolsets that its list is narrowed to. */
  only: Toolsets;
  signal: AbortSignal;
  /** Seconds. */
  longest?: number | undefined;
  /** Where its connection can be cut off and come back. */
  connected?: () => Promise<boolean>;
  /** The name of its MCP session. */
  session?: string;
}

export interface Reply extends Pick<Answer, "written" | "lost"> {
  message: object;
}

/** What is answered to a message that cannot be put to a server. */
export const failure = (id: RequestId | null, code: number, message: string, data?: Result) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message, ...(data && { data }) },
});

/** Thrown to the SDK: its own class would put its name before the message. */
const rpcError = (code: number, message: string): Error => Object.assign(new Error(message), { code });

export function openServing({ table, log, name, version }: McpOptions) {
  const toolsFor = openTools(table.actions.values());
  // A validator of its own would cost each server a hundred times as much as the rest of it.
  const options = { capabilities: { tools: {} }, instructions, jsonSchemaValidator: new AjvJsonSchemaValidator() };
  const info = { name, version };

  /** Calls a tool; what an agent can mend is a result too. */
  async function call(
    params: Result,
    { who, signal, longest, connected, session }: Asked,
  ): Promise<[CallToolResult, Answer?]> {
    const action = typeof params.name === "string" ? table.actions.get(params.name) : undefined;
    if (!action)
      throw rpcError(ErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(params.name ?? null).slice(0, 80)}`);
    try {
      const caller = await who();
      if (action.peopleOnly)
        throw new Refusal(
          "FORBIDDEN",
          `${action.name} is for people, at the dashboard or over HTTP; no MCP tool does it.`,
        );
      const answer = await table.perform(caller, action.name, params.arguments, {
        signal,
        ...(longest !== undefined && { longest }),
        ...(connected && { connected }),
        ...(session !== undefined && { session }),
      });
      const content = [{ type: "text" as const, text: JSON.stringify(answer.result) }];
      return [action.bare ? { content } : { content, structuredContent: answer.result }, answer];
    } catch (error) {
      const refusal = refusalOf(error, log);
      const said = `${refusal.code}: ${refusal.message}`;
      if (action.bare && refusal.code !== "BAD_INPUT")
        return [{ content: [{ type: "text", text: JSON.stringify(action.bare(said)) }] }];
      return [
        {
          isError: true,
          content: [{ type: "text", text: said }],
          ...(!action.bare && { structuredContent: told(refusal) }),
        },
      ];
    }
  }

  async function list({ who, only }: Asked): Promise<{ tools: Tool[] }> {
    try {
      const caller = await who();
      const { member } = caller.actor;
      const operates = await table.same(`operates ${member}`, (db) => isNamedOperator(db, member));
      return toolsFor(caller, only, operates);
    } catch (error) {
      const refusal = refusalOf(error, log);
      throw rpcError(ErrorCode.InternalError, `${refusal.code}: ${refusal.message}`);
    }
  }

  return async function respond({ params = {}, ...request }: JSONRPCRequest, asked: Asked): Promise<Reply> {
    const server = new Server(info, options);
    let noted: Pick<Reply, "written" | "lost"> = { written: async () => {}, lost: async () => {} };
    // Behind the SDK's own request schemas: arguments that are no object are refused in words like any others,
    // and results are not copied on their way out.
    server.fallbackRequestHandler = async () => {
      if (request.method === "tools/list") return list(asked);
      if (request.method !== "tools/call") throw rpcError(ErrorCode.MethodNotFound, "Method not found");
      const [result, answer] = await call(params, asked);
      if (answer) noted = answer;
      return result;
    };
    // What asks for a task is answered without one: a waiting task would not hold the agent.
    const { task: _, ...plain } = params;
    return new Promise((resolve, reject) => {
      const transport: Transport = {
        start: async () => {},
        close: async () => {},
        send: async (message) => resolve({ message, written: noted.written, lost: noted.lost }),
      };
      server.onerror = () =>
        resolve({
          message: failure(request.id, ErrorCode.InvalidRequest, "This is not a JSON-RPC request."),
          ...noted,
        });
      server
        .connect(transport)
        .then(() => transport.onmessage?.({ ...request, params: plain }))
        .catch(reject);
    });
  };
}

/** A refusal as structured content: the inbox is where it is in every result. */
function told(refusal: Refusal): Result {
  const { inbox, untrusted_content_warning, ...error } = refusal.toJSON();
  return {
    error,
    ...(inbox !== undefined && { inbox }),
    ...(untrusted_content_warning !== undefined && { untrusted_content_warning }),
  };
}
