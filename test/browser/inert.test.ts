// What others wrote is text and nothing more (D6); signing in, and what a cookie alone can do (D7).
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import WebSocket from "ws";
import { type Agent, found } from "../processes/parley.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage, tap, textOf } from "./stage.ts";

let stage: Stage;
let agent: Agent;
let zoe: string;
/** Where remote images would be fetched from, and what was. */
let remote: HttpServer;
let away: string;
const fetched: string[] = [];

beforeAll(async () => {
  remote = createServer((req, res) => {
    fetched.push(req.url ?? "");
    res.end();
  });
  await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
  away = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  const [ada = ""] = await stage.server.add(zoe, ["ada"], { role: "lead" });
  agent = await stage.server.agent(ada);
}, 120_000);
beforeEach(() => clear(stage, zoe));
afterEach(pictures);
afterAll(async () => {
  remote.close();
  await stage.close();
});

/** Everything that an agent could send to be more than text; each with its own mark, so that it is found again. */
function hostile(mark: string): string {
  return [
    `${mark} begins`,
    `<img src="${away}/img.png" onerror="document.title='${mark}'"> <b>bold</b> <script>document.title='${mark}'</script>`,
    `<svg onload="document.title='${mark}'"></svg><iframe src="${away}/frame"></iframe><style>*{display:none}</style>`,
    `![picture](${away}/markdown.png) ![](data:text/html,x) [click](javascript:document.title='${mark}')`,
    `[named](https://parley.example/${mark}) <javascript:alert(1)> [data](data:text/html,x) [file](file:///etc/passwd)`,
    "invoice\u202Egpj.exe zero\u200Bwidth \u001b[31mred\u001b[0m bell\u0007 soft\u00adhyphen",
    `| a | b |\n|---|---|\n| ${"w".repeat(900)} | <i>x</i> |`,
    "```html\n<img src=x onerror=alert(1)>\n```",
    `${mark} ends`,
  ].join("\n\n");
}

/** What in the page came out of texts: nothing that loads, runs or leads elsewhere than a link that says so. */
const lively = (device: Device) =>
  device.page.evaluate<Record<string, unknown>>(`({
    title: document.title,
    made: [...document.querySelectorAll("#app :is(img, iframe, script, style, object, embed, video, audio, form[action], base, link)")].map((e) => e.outerHTML),
    handlers: [...document.querySelectorAll("#app *")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).map((e) => e.outerHTML),
    links: [...document.querySelectorAll("#app a[href]")].map((e) => e.href).filter((href) => !href.startsWith(location.origin + "/")),
  })`);

it.each(["phone", "desk"] as const)(
  "D6: on the %s everything that others wrote stands there whole, inert and marked",
  async (kind) => {
    const device = await stage.open(kind);
    await stage.signIn(device, await stage.linkOf(zoe));
    const { page } = device;
    const line = `${kind} ${"x".repeat(200_000)} end`;
    await agent.call("request_approval", {
      title: "Run <b>it</b> \u202Eetadpu\u202C now\u200B",
      details: hostile("gate-details"),
      action: { command: `echo "${line}"`, note: "\u001b[2J <script>alert(1)</script>", url: "javascript:alert(1)" },
      options: ["<img src=x onerror=alert(1)>", "yes\u202E"],
      wait_seconds: 0,
    });
    const card = page.locator("article[data-open]");
    await card.getByRole("button", { name: "Deny", exact: true }).waitFor();
    const shown = await textOf(card);
    for (const text of [
      "Run <b>it</b>",
      "gate-details begins",
      "<script>document.title='gate-details'</script>",
      "gate-details ends",
      "<img src=x onerror=alert(1)>",
      line,
    ])
      expect(shown.includes(text), text.slice(0, 60)).toBe(true);
    // Made visible, in the title, the details, the action and the choices.
    const marks = await card.locator(".mark").allTextContents();
    for (const mark of ["RLO", "ZWSP", "ESC", "BEL", "SHY"]) expect(marks.join(" ")).toContain(mark);
    expect(await textOf(card.getByRole("heading"))).toMatch(/RLO.*PDF.*ZWSP/s);
    expect(await device.sideways()).toBe(0);
    // The card itself neither: what is long is wrapped or scrolls inside its own frame.
    const over = "((e) => e.scrollWidth - e.clientWidth)(document.querySelector('article[data-open]'))";
    expect(await page.evaluate<number>(over)).toBe(0);
    await tap(card.getByRole("button", { name: "Deny", exact: true }), card.getByText("Denied by you"));

    // The same in the stream, as a message and on the floor, and on a task.
    await agent.call("post_message", { text: hostile(`message-${kind}`) });
    await stage.server.api(zoe, "open_floor", { seats: ["ada"] });
    await agent.call("say", { text: hostile(`speech-${kind}`) });
    const made = await agent.call("create_task", {
      title: `<u>task</u> \u202E${kind}`,
      description: hostile(`task-${kind}`),
    });
    await page.goto(stage.server.url);
    for (const mark of [`message-${kind}`, `speech-${kind}`]) {
      const item = page.locator(".item.speech").filter({ hasText: `${mark} begins` });
      await item.waitFor();
      await item.getByRole("button", { name: /^Show all/ }).click();
      await item.getByText(`${mark} ends`).waitFor();
    }
    expect(await device.sideways()).toBe(0);
    await page.goto(`${stage.server.url}?task=${(made.structuredContent.task as { id: number }).id}`);
    await page.getByText(`task-${kind} begins`).waitFor();
    expect(await device.sideways()).toBe(0);

    const { title, links, ...rest } = await lively(device);
    expect(title).not.toMatch(/gate|message|speech|task-/);
    expect(rest).toEqual({ made: [], handlers: [] });
    for (const link of links as string[]) expect(link).toMatch(/^(https?|mailto):/);
    expect(fetched).toEqual([]);
    await quiet(device);
  },
);

it("D6: the policy allows nothing inline, nothing from elsewhere, and no frame around it", async () => {
  for (const path of ["", "gate/x"]) {
    const res = await fetch(`${stage.server.url}${path}`);
    const policy = new Map(
      (res.headers.get("content-security-policy") ?? "").split("; ").map((one) => {
        const [name = "", ...values] = one.split(" ");
        return [name, values.join(" ")];
      }),
    );
    expect(policy.get("default-src")).toBe("'none'");
    expect(policy.get("script-src")).toMatch(/^'self'( 'sha256-[A-Za-z0-9+/=]+')?$/);
    expect(policy.get("style-src")).toBe("'self'");
    expect(policy.get("img-src")).toBe("'self' data:");
    expect(policy.get("connect-src")).toBe("'self'");
    expect(policy.get("frame-ancestors")).toBe("'none'");
    expect(policy.get("base-uri")).toBe("'none'");
    expect(policy.get("form-action")).toBe("'none'");
    expect(res.headers.get("referrer-policy")).toBe("no-referrer");
    expect(res.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

it("D7: a link is used up by the tap alone, once; the code leaves the address; the cookie alone only reads", async () => {
  const link = await stage.place.link(stage.server, "zoe");
  const code = link.slice(link.indexOf("#link=") + 6);
  expect(new URL(link).search).toBe("");
  // What fetches links on its own (a preview, a scanner) gets the page and uses nothing up.
  for (const method of ["GET", "HEAD"]) expect((await fetch(link, { method })).status).toBe(200);
  expect((await fetch(`${stage.server.url}session?code=${code}`)).status).toBe(401);
  const looker = await stage.open("desk");
  await looker.page.goto(link);
  await looker.page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(looker.page.url()).toBe(stage.server.url);

  const device = await stage.open("phone");
  const { page, context } = device;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await stage.signIn(device, link);
  expect(page.url()).not.toContain(code);
  expect(asked.filter((url) => url.split("#")[0]?.includes(code))).toEqual([]);
  await page.goBack().catch(() => {});
  expect(page.url()).not.toContain(code);
  await page.goto(stage.server.url);
  await page.getByTitle("What you see is live").waitFor();

  // Used: the other that had it open is told so.
  await looker.page.getByRole("button", { name: "Sign in" }).click();
  await looker.page.getByRole("alert").waitFor();
  expect(await textOf(looker.page.getByRole("alert"))).toMatch(/used|link/i);
  expect(await looker.context.cookies()).toEqual([]);

  const cookies = await context.cookies();
  expect(cookies).toMatchObject([
    { name: `parley_${stage.server.port}`, httpOnly: true, sameSite: "Strict", secure: false, path: "/" },
  ]);
  const cookie = `${cookies[0]?.name}=${cookies[0]?.value}`;
  const gate = await agent.call("request_approval", { title: "Only with the secret", wait_seconds: 0 });
  const { id } = gate.structuredContent.gate as { id: string };
  const post = (action: string, args: object, headers: Record<string, string> = {}) =>
    fetch(`${stage.server.url}api/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie, ...headers },
      body: JSON.stringify(args),
    });
  expect((await post("list_gates", { status: "pending" })).status).toBe(200);
  for (const [action, args] of [
    ["decide_gate", { gate_id: id, decision: "approve" }],
    ["post_message", { text: "not me" }],
    ["make_link", {}],
    ["add_member", { name: "mallory" }],
    ["stop_all", {}],
  ] as const) {
    expect([action, (await post(action, args)).status]).toEqual([action, 403]);
    expect([action, (await post(action, args, { "x-parley-secret": "guess" })).status]).toEqual([action, 403]);
    expect([action, (await fetch(`${stage.server.url}api/${action}`, { headers: { Cookie: cookie } })).status]).toEqual(
      [action, 405],
    );
  }
  for (const hello of [{}, { secret: "guess" }]) {
    const socket = new WebSocket(`${stage.server.url.replace("http", "ws")}ws`, { headers: { Cookie: cookie } });
    const said: string[] = [];
    socket.on("message", (data) => said.push(String(data)));
    socket.once("open", () => socket.send(JSON.stringify({ type: "hello", watch: "main", ...hello })));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(said.map((text) => JSON.parse(text).type)).toEqual(["ended"]);
  }
  const { body } = await stage.server.api(zoe, "get_gate", { gate_id: id });
  expect(body.gate.status).toBe("pending");
  // No script of the page can read what signs it in.
  expect(await page.evaluate<string>("document.cookie")).toBe("");

  // Signed out: at once, here, and the page says so.
  const { body: listed } = await stage.server.api(zoe, "list_gates", {});
  expect(listed.gates.length).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "People" }).click();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.getByText("You are signed out on this device.").waitFor();
  expect((await post("list_gates", {})).status).toBe(401);
  expect(await found(async () => (await context.cookies()).length === 0)).toBe(true);
  await quiet(looker, device);
});

it("D7: a link opened in the tab that already shows the door is offered there, and is not used up by that", async () => {
  const phone = await stage.open("phone");
  await phone.page.goto(stage.server.url);
  await phone.page.getByRole("heading", { name: "Sign in with a link" }).waitFor();
  const link = await stage.linkOf(zoe);
  await phone.page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);
  await phone.page.getByRole("heading", { name: "Sign in on this device" }).waitFor();
  expect(new URL(phone.page.url()).hash).toBe("");
  await phone.page.getByRole("button", { name: "Sign in" }).click();
  await phone.page.getByTitle("What you see is live").waitFor();
  await quiet(phone);
});
