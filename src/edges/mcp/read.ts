// From bytes to one JSON-RPC message: a request, or something that wants no answer.
import { ErrorCode, type JSONRPCRequest, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { readJson, wrongWith } from "../json.ts";
import { failure } from "./serve.ts";

export type Message =
  | { request: JSONRPCRequest }
  /** A notification, or an answer to what was never asked. */
  | { cancels: unknown }
  | { ignored: true }
  | { bad: ReturnType<typeof failure> };

export function messageIn(bytes: Buffer): Message {
  const read = readJson(bytes);
  if (!("value" in read)) return { bad: failure(null, ErrorCode.ParseError, `The body ${read.wrong}.`) };
  const said = read.value;
  if (Array.isArray(said)) return bad("Batches are not supported; send one message at a time.");
  if (typeof said !== "object" || said === null) return bad("This is not a JSON-RPC message.");
  const { jsonrpc, id, method, params } = said as Record<string, unknown>;
  if (jsonrpc !== "2.0") return bad('jsonrpc must be "2.0".');
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    return bad("params must be an object.", id);
  // The arguments of a call are refused in words, by the action.
  const { arguments: _, ...rest } = (params ?? {}) as Record<string, unknown>;
  if (read.wrong && wrongWith({ ...said, params: rest })) return bad(`The message ${read.wrong}.`, id);
  if (typeof method === "string") {
    const token = (params as { _meta?: { progressToken?: unknown } } | undefined)?._meta?.progressToken;
    if (token !== undefined && !isId(token)) return bad(`progressToken must be ${short}.`, id);
    if (id === undefined) {
      if (method !== "notifications/cancelled") return { ignored: true };
      return { cancels: (params as { requestId?: unknown } | undefined)?.requestId };
    }
    if (!isId(id)) return bad(`id must be ${short}.`);
    return { request: said as JSONRPCRequest };
  }
  if (method === undefined && ("result" in said || "error" in said)) return { ignored: true };
  return bad("This is neither a request, nor a notification, nor a response.", id);
}

/** Ids and tokens are said back, with every sign of life too. */
const longest = 256;
const short = `a string of at most ${longest} characters or a whole number`;
const isId = (id: unknown): id is RequestId =>
  typeof id === "string" ? id.length <= longest : Number.isSafeInteger(id);

const bad = (sentence: string, id?: unknown): Message => ({
  bad: failure(isId(id) ? id : null, ErrorCode.InvalidRequest, sentence),
});
