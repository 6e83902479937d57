import { expect, it } from "vitest";
import { instructions } from "../../../src/edges/mcp/instructions.ts";
import { openTools, toolsetsNamed } from "../../../src/edges/mcp/tools.ts";
import { inMemory } from "../../setup/stores.ts";
import { play } from "../../table.ts";
import { instance } from "./stage.ts";

const all = toolsetsNamed(undefined);

async function lists() {
  const { store, remove } = await inMemory.make();
  const p = play(store);
  const listFor = openTools(p.table.actions.values());
  const names = async (role: string, only = all) =>
    listFor((await p.guest(`${role}-${only.size}`, { role })).caller, only).tools.map((tool) => tool.name);
  return { p, listFor, names, remove };
}

it("tools/list: a worker's whole list costs under 6,000 tokens", async () => {
  const { p, listFor, remove } = await lists();
  const { tools } = listFor((await p.guest("ada")).caller, all);
  const cost = tools.map(({ name, description, inputSchema }) => ({
    name,
    tokens: (name.length + (description ?? "").length + JSON.stringify(inputSchema).length) / 4,
  }));
  const sum = cost.reduce((so, { tokens }) => so + tokens, 0);
  const dear = cost.sort((a, b) => b.tokens - a.tokens).map(({ name, tokens }) => `${name} ${Math.round(tokens)}`);
  expect(sum, dear.join(", ")).toBeLessThan(6000);
  await remove();
});

it("tools/list: shows what the caller's role may use, never what is for people only", async () => {
  const { p, listFor, names, remove } = await lists();
  const worker = await names("worker");
  expect(worker).toEqual(expect.arrayContaining(["whoami", "request_approval", "wait_for_gate"]));
  for (const list of [worker, await names("lead"), await names("approver"), await names("owner")])
    for (const name of list) expect(p.table.actions.get(name)?.peopleOnly ?? false, name).toBe(false);
  const observer = await names("observer");
  expect(observer).toContain("whoami");
  expect(observer).not.toContain("request_approval");
  const ada = await p.guest("ada");
  expect(listFor(ada.caller, all)).toBe(listFor((await p.guest("bob")).caller, all));
  await remove();
});

it("tools/list: operators of a floor see its operators' tools, others do not", async () => {
  const { store, remove } = await inMemory.make();
  const mcp = await instance(store);
  const lea = await mcp.guest("lea", { role: "lead" });
  const { client } = await mcp.connect((await mcp.guest("ada")).token);
  const { client: other } = await mcp.connect((await mcp.guest("bob")).token);
  const names = async (who: typeof client) => (await who.listTools()).tools.map(({ name }) => name);
  expect(await names(client)).not.toContain("grant_floor");
  await lea.does("open_floor", { seats: ["bob"], operators: ["ada"] });
  expect(await names(client)).toEqual(expect.arrayContaining(["take_floor", "grant_floor", "close_floor"]));
  expect(await names(client)).not.toContain("purge_messages");
  expect(await names(other)).not.toContain("grant_floor");
  await lea.does("close_floor");
  expect(await names(client)).not.toContain("grant_floor");
  await mcp.stop();
  await remove();
});

it("tools/list: is narrowed by toolsets, and an unknown one is refused by name", async () => {
  const { names, remove } = await lists();
  expect(await names("worker", toolsetsNamed(["gates"]))).toContain("request_approval");
  expect(await names("worker", toolsetsNamed(["gates", "log"]))).not.toContain("whoami");
  expect(() => toolsetsNamed(["gates", "gate"])).toThrow('there is no toolset "gate"');
  await remove();
});

it("tools/list: every tool is described, closed in its input, open in its output, and annotated", async () => {
  const { store, remove } = await inMemory.make();
  const mcp = await instance(store);
  const lead = await mcp.guest("lea", { role: "lead" });
  const { client } = await mcp.connect(lead.token);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(5);
  for (const tool of tools) {
    expect(tool.description?.length, tool.name).toBeGreaterThan(15);
    expect(tool.description?.length, tool.name).toBeLessThan(2000);
    expect(tool.inputSchema, tool.name).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.stringify(tool.inputSchema), tool.name).not.toContain("$schema");
    for (const [field, schema] of Object.entries(tool.inputSchema.properties ?? {}))
      if (!["action", "tool_use_id"].includes(field))
        expect(Object.keys(schema as object), `${tool.name} ${field}`).not.toEqual([]);
    expect(tool.annotations).toEqual({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: false,
    });
    if (tool.name === "permission_prompt") continue;
    expect(tool.outputSchema, tool.name).toMatchObject({
      type: "object",
      properties: { error: {}, inbox: {}, untrusted_content_warning: {} },
    });
    expect(tool.outputSchema).not.toHaveProperty("required");
    expect(tool.outputSchema?.additionalProperties, tool.name).not.toBe(false);
  }
  const whoami = tools.find((tool) => tool.name === "whoami");
  expect(whoami).toMatchObject({ annotations: { readOnlyHint: true }, _meta: { "anthropic/alwaysLoad": true } });
  // What an agent is told to do next it must find without a search.
  for (const name of ["submit_result", "gate_result", "request_approval", "wait_for_gate"])
    expect(tools.find((tool) => tool.name === name)?._meta, name).toEqual({ "anthropic/alwaysLoad": true });
  await mcp.stop();
  await remove();
});

it("tools/list: ?toolsets= narrows within what the server lists", async () => {
  const { store, remove } = await inMemory.make();
  const mcp = await instance(store, { toolsets: ["gates", "log"] });
  const ada = await mcp.guest("ada");
  const listed = async (query: string) => {
    const response = await fetch(mcp.url + query, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${ada.token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const said = (await response.json()) as {
      result?: { tools: Array<{ name: string }> };
      error?: { message: string };
    };
    return { status: response.status, names: said.result?.tools.map((tool) => tool.name), error: said.error?.message };
  };
  expect((await listed("")).names).toContain("wait_for_gate");
  expect((await listed("")).names).not.toContain("whoami");
  expect((await listed("?toolsets=gates,members")).names).toContain("wait_for_gate");
  expect((await listed("?toolsets=members")).names).toEqual([]);
  expect(await listed("?toolsets=gatez")).toMatchObject({ status: 400, error: expect.stringContaining("gatez") });
  await mcp.stop();
  await remove();
});

it("instructions: under 2,000 characters, and they name the tools that matter", () => {
  expect(instructions.length).toBeLessThan(2000);
  for (const tool of ["whoami", "next_task", "submit_result", "wait_for_floor", "request_approval", "wait_for_gate"])
    expect(instructions).toContain(tool);
});
