// A real server, real browsers on it as phones and desks, and people who sign in on them.
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { expect, inject, type TestContext } from "vitest";
import { openPlace, type Place, type Server } from "../processes/parley.ts";
import { settled } from "./hands.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What each is called by the server, from its User-Agent. */
export const devices = {
  phone: {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    userAgent:
      "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    called: "Chrome on Android",
  },
  desk: {
    viewport: { width: 1440, height: 900 },
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    called: "Firefox on Linux",
  },
} as const;

export interface Device {
  page: Page;
  context: BrowserContext;
  /** Requests to anywhere but the server. */
  strays: string[];
  /** Errors of the page, and what its policy had to stop. */
  wrongs: string[];
  card(name: string): Locator;
  needs: Locator;
  /** How far anything of the page could be scrolled sideways (px). */
  sideways(): Promise<number>;
}

export interface Stage {
  place: Place;
  server: Server;
  browser: Browser;
  /** @param own of this one alone: its zone, its language */
  open(kind: keyof typeof devices, own?: BrowserContextOptions): Promise<Device>;
  /** Opens a link and taps until the room is there. */
  signIn(device: Device, link: string, name?: string): Promise<void>;
  /** A link for the person with this token, as from a device that is signed in. */
  linkOf(token: string): Promise<string>;
  /** Starts it again on the same port, after it was killed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Every page of this file, and what it stands for. */
const pages = new Map<Page, string>();

/** After each test: a picture of every page, where it failed. */
export async function pictures({ task }: TestContext): Promise<void> {
  if (task.result?.state !== "fail") return;
  const folder = join(tmpdir(), "parley-failed");
  await mkdir(folder, { recursive: true });
  const name = task.name.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 60);
  for (const [n, [page, kind]] of [...pages].entries()) {
    if (page.isClosed()) continue;
    const path = join(folder, `${name}.${n}.${kind}.png`);
    await page.screenshot({ path, timeout: 5000 }).then(
      () => process.stderr.write(`The page as the test failed: ${path}\n`),
      () => {},
    );
  }
}

export async function openStage(): Promise<Stage> {
  const place = await openPlace();
  const [server, browser] = await Promise.all([
    place.serve(),
    chromium.launch({ executablePath: inject("chromium"), args: flags }),
  ]);
  const stage: Stage = {
    place,
    server,
    browser,
    async open(kind, own) {
      const { called: _, ...how } = devices[kind];
      const context = await browser.newContext({ ...how, serviceWorkers: "block", ...own });
      const page = await context.newPage();
      pages.set(page, kind);
      page.setDefaultTimeout(20_000);
      // Like a person, each action waits until what has just come or moved may be touched (D18).
      await page.addLocatorHandler(page.locator(":root[data-settling]"), () => settled(page), { noWaitAfter: true });
      const strays: string[] = [];
      const wrongs: string[] = [];
      page.on("request", (request) => {
        const { protocol, host } = new URL(request.url());
        if (protocol !== "data:" && host !== new URL(stage.server.url).host) strays.push(request.url());
      });
      page.on("pageerror", (error) => wrongs.push(error.stack ?? String(error)));
      await page.exposeFunction("tellViolation", (what: string) => wrongs.push(what));
      await page.addInitScript(
        'document.addEventListener("securitypolicyviolation", (e) => tellViolation(e.violatedDirective + " " + e.blockedURI))',
      );
      return {
        page,
        context,
        strays,
        wrongs,
        card: (name) => page.getByRole("article", { name }),
        needs: page.getByRole("region", { name: "Needs you" }),
        sideways: () =>
          page.evaluate<number>(
            "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - document.documentElement.clientWidth",
          ),
      };
    },
    async signIn({ page }, link, name) {
      await page.goto(link);
      await page.getByRole("button", { name: "Sign in" }).click();
      if (name !== undefined) {
        await page.getByLabel("Your name").fill(name);
        await page.getByRole("button", { name: "Sign in" }).click();
      }
      await page.getByTitle("What you see is live").waitFor();
    },
    async linkOf(token) {
      const { body } = await stage.server.api(token, "make_link");
      return `${stage.server.url}#link=${body.code}`;
    },
    async restart() {
      stage.server = await place.serve({ port: stage.server.port });
    },
    async close() {
      await Promise.all([browser.close(), place.remove()]);
    },
  };
  return stage;
}

/** A stage with its owner zoe, on the floor's page of a phone, and ada, bob and cyd, of whom the first two are there. */
export async function openFloorStage() {
  const stage = await openStage();
  const zoe = await stage.place.member("zoe", "--role", "owner");
  const [a = "", b = ""] = await stage.server.add(zoe, ["ada", "bob", "cyd"]);
  const [ada, bob] = await Promise.all([stage.server.agent(a), stage.server.agent(b)]);
  const phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
  await phone.page.getByRole("tab", { name: "Floor" }).click();
  return { stage, zoe, ada, bob, phone, pane: phone.page.getByRole("region", { name: "Floor", exact: true }) };
}

/** Closes the devices of a test, and says what they met that they should not have. */
export async function quiet(...all: Device[]): Promise<void> {
  for (const { context, strays, wrongs } of all) {
    await context.close();
    expect({ strays, wrongs }).toEqual({ strays: [], wrongs: [] });
  }
}

/** Nothing waits any more, whatever a test has left. */
export async function clear({ server }: Stage, token: string): Promise<void> {
  const { body } = await server.api(token, "list_gates", { status: "pending" });
  const decisions = { approval: "deny", feedback: "answer", blocker: "resolve" };
  for (const { id, kind } of body.gates as Array<{ id: string; kind: keyof typeof decisions }>)
    await server.api(token, "decide_gate", {
      gate_id: id,
      decision: decisions[kind],
      ...(kind !== "approval" && { text: "-" }),
    });
}

/** All text of it, hidden marks for screen readers too. */
export const textOf = async (where: Locator): Promise<string> => (await where.allTextContents()).join("\n");
