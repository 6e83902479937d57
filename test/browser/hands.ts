// What a person's hands do to a page: they wait until it stands still, tap, press and hold.
import type { CDPSession, Locator, Page } from "playwright-core";

/**
 * Resolves in the page once nothing on it has moved for five frames and all cards are armed. Spinners and the rings of
 * clocks turn where they stand, so they do not count.
 */
const standsStill = `new Promise((resolve) => {
  let before = "";
  let frames = 0;
  const look = () => {
    const moving = document.getAnimations().some((one) =>
      one.playState === "running" && one.transitionProperty !== "stroke-dasharray" &&
      Number.isFinite(one.effect?.getComputedTiming().endTime));
    const places = [...document.querySelectorAll("article, dialog, a, button, input, textarea, select, summary")]
      .map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height].join(); })
      .join(";");
    frames = moving || places !== before || document.querySelector("[data-arming], [data-settling]") ? 0 : frames + 1;
    before = places;
    if (frames < 5) requestAnimationFrame(look);
    else resolve();
  };
  look();
})`;

/** Waits until nothing on the page moves and every card on it can be answered. */
export const still = (page: Page): Promise<void> => page.evaluate<void>(standsStill);

/** Waits until nothing that has just come or moved is dead to a finger (D18); a page that is left has nothing to wait for. */
export const settled = (page: Page): Promise<void> =>
  page
    .evaluate<void>(`new Promise((resolve) => {
      const look = () => (document.querySelector(":root[data-settling]") ? requestAnimationFrame(look) : resolve());
      look();
    })`)
    .catch(() => {});

/** Taps as a person does: again, where the card moved under the finger and the tap did not count (D3). */
export async function tap(button: Locator, effect: Locator): Promise<void> {
  const over = performance.now() + 20_000;
  while (performance.now() < over) {
    await still(button.page()).catch(() => {});
    await button.click({ timeout: 1000 }).catch(() => {});
    const seen = effect.first().waitFor({ timeout: 1500 });
    if (await seen.then(() => true).catch(() => false)) return;
  }
  await effect.first().waitFor({ timeout: 1 });
}

/**
 * Presses the button and holds it until `effect` is there, then lets go. As a person does: again, where the card moved
 * under the finger and the press did not count (D3).
 */
export async function hold(button: Locator, effect: Locator): Promise<void> {
  const page = button.page();
  const over = performance.now() + 20_000;
  while (performance.now() < over) {
    await still(page);
    await button.hover();
    await page.mouse.down();
    const seen = await effect
      .first()
      .waitFor({ timeout: 4000 })
      .then(() => true)
      .catch(() => false);
    await page.mouse.up();
    if (seen) return;
  }
  await effect.first().waitFor({ timeout: 1 });
}

/** Types the word that approves what is of high risk, by keyboard alone. */
export async function typeApproval(card: Locator): Promise<void> {
  await still(card.page());
  await card.locator(".btn.hold:enabled").press("Enter");
  await card.getByLabel("Type approve").fill("approve");
}

interface Spot {
  x: number;
  y: number;
}

/** One finger on the glass: real touch events, from which the browser makes pointer events, scrolling and clicks. */
export class Finger {
  readonly #cdp: CDPSession;
  constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async middleOf(what: Locator): Promise<Spot> {
    const box = await what.boundingBox();
    if (!box) throw new Error("there is nothing to touch");
    return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  }

  #send(type: "touchStart" | "touchMove" | "touchEnd", spots: Spot[]): Promise<unknown> {
    return this.#cdp.send("Input.dispatchTouchEvent", { type, touchPoints: spots });
  }

  /** Puts the finger on the middle of it. */
  async down(what: Locator): Promise<Spot> {
    const spot = await Finger.middleOf(what);
    await this.#send("touchStart", [spot]);
    return spot;
  }
  move = (to: Spot): Promise<unknown> => this.#send("touchMove", [to]);
  up = (): Promise<unknown> => this.#send("touchEnd", []);

  async tapAt(spot: Spot): Promise<void> {
    await this.#send("touchStart", [spot]);
    await this.up();
  }
  tap = async (what: Locator): Promise<void> => this.tapAt(await Finger.middleOf(what));

  /** Taps on one spot, so many milliseconds after the first tap. */
  async series(spot: Spot, at: number[]): Promise<void> {
    const began = performance.now();
    for (const ms of at) {
      await new Promise((resolve) => setTimeout(resolve, began + ms - performance.now()));
      await this.tapAt(spot);
    }
  }

  /** Drags from its middle by so many pixels, in steps, and lets go. */
  async drag(what: Locator, by: { y: number }): Promise<void> {
    const { x, y } = await this.down(what);
    for (let step = 1; step <= 5; step++) await this.move({ x, y: y + (by.y * step) / 5 });
    await this.up();
  }
}
