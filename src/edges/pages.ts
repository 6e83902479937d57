// The dashboard's files and the pages without sign-in. Nothing inline but the import map, allowed by its hash.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Response, Router } from "express";
import { iso } from "../clock.ts";
import type { Config } from "../config.ts";
import { dependencyFile, root, version } from "../package.ts";
import { published } from "../receipts/keys.ts";
import type { Table } from "../table.ts";
import { readiness } from "./readiness.ts";
import { publicStatus } from "./status.ts";

const folder = join(root, "public");

/** Whether a path names a page's file, however it is written; what is malformed names none. */
function isPage(path: string): boolean {
  try {
    return /\.html?\W*$/i.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The page with its policy: what may run is what it brings itself. @param up from its address to the dashboard's */
function page(up: string): { html: string; policy: string } {
  const html = readFileSync(join(folder, "index.html"), "utf8")
    .replaceAll(/ (href|src)="(?=\w)/g, ` $1="${up}`)
    .replaceAll('"./', `"./${up}`);
  const inline = [...html.matchAll(/<script type="importmap">([\s\S]*?)<\/script>/g)].map(
    ([, text]) =>
      `'sha256-${createHash("sha256")
        .update(text ?? "")
        .digest("base64")}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${inline.join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html, policy };
}

export function pages(table: Table, config: Config): Router {
  const router = Router();
  const send = (up: string) => {
    const { html, policy } = page(up);
    return (_req: unknown, res: Response) => {
      res.setHeader("Content-Security-Policy", policy);
      res.setHeader("Cache-Control", "no-cache");
      res.type("html").send(html);
    };
  };
  router.get("/healthz", (_req, res) => {
    res.json({ ok: true });
  });
  router.get("/readyz", async (_req, res) => {
    const { why, warnings } = await readiness(table);
    res.status(why ? 503 : 200).json({ ok: !why, ...(why && { why }), ...(warnings.length > 0 && { warnings }) });
  });
  router.get("/status", async (_req, res) => {
    const status = await publicStatus(table);
    res.json({ ok: true, name: config.name, version, ...status, server_time: iso(table.clock.now()) });
  });
  router.get("/.well-known/parley-key.json", async (_req, res) => {
    res.json(await table.store.read(published));
  });
  router.get("/", send(""));
  router.get("/gate/:id", send("../"));
  const vendor = JSON.parse(readFileSync(join(folder, "vendor.json"), "utf8")) as Record<string, string>;
  for (const [address, file] of Object.entries(vendor)) {
    const path = dependencyFile(file);
    router.get(`/${address}`, (_req, res) => {
      res.type("text/javascript").sendFile(path, { dotfiles: "allow" });
    });
  }
  // The page comes only with its policy, as above: as a bare file it would run nothing and still look like the page.
  router.use((req, _res, next) => next(isPage(req.path) ? "router" : undefined));
  router.use(express.static(folder, { index: false, dotfiles: "ignore", redirect: false }));
  return router;
}
