// @ts-check
// Which floor is shown, and what stands about it in words. Pure.
/** @import { App, Floor } from "../types.d.ts" */

export const modes = { open: "open", round_robin: "round robin", moderated: "moderated" };

/** The one chosen, else one that is open. @param {App} app @returns {Floor | undefined} */
export function floorOf(app) {
  const room = app.room ?? "";
  const floors = Object.values(app.data[room]?.floors ?? {});
  return (
    floors.find((one) => one.channel === app.channels[room]) ??
    floors.find((one) => one.status !== "closed" && one.channel === "main") ??
    floors.find((one) => one.status !== "closed") ??
    floors[0]
  );
}

/** The same, where it is open. @param {App} app */
export function openFloor(app) {
  const floor = floorOf(app);
  return floor && floor.status !== "closed" ? floor : undefined;
}

/** How far agents have gone without a person. @param {Floor} floor */
export function agentTurns({ agent_turns: had, max_agent_turns: most }) {
  if (!most || had === undefined) return "";
  return `${had} of ${most} agent turns since a person spoke`;
}
