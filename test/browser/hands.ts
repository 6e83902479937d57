// What a person's hands do to a page: they wait until it stands still, tap, press and hold.
import type { Locator, Page } from "playwright-core";

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
    frames = moving || places !== before || document.querySelector("[data-arming]") ? 0 : frames + 1;
    before = places;
    if (frames < 5) requestAnimationFrame(look);
    else resolve();
  };
  look();
})`;

/** Waits until nothing on the page moves and every card on it can be answered. */
export const still = (page: Page): Promise<void> => page.evaluate<void>(standsStill);

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

/** Presses the button and holds it until `effect` is there, then lets go. */
export async function hold(button: Locator, effect: Locator): Promise<void> {
  const page = button.page();
  await still(page);
  await button.hover();
  await page.mouse.down();
  await effect.first().waitFor();
  await page.mouse.up();
}

/** Types the word that approves what is of high risk, by keyboard alone. */
export async function typeApproval(card: Locator): Promise<void> {
  await still(card.page());
  await card.locator(".btn.hold:enabled").press("Enter");
  await card.getByLabel("Type approve").fill("approve");
}
