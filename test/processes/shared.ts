// The stores that several processes can share, each where a place is to be opened on it.
import { emptyPostgres } from "../setup/stores.ts";
import { openPlace, type Place } from "./parley.ts";

export const shared: Record<string, () => Promise<Place>> = {
  "a SQLite file": () => openPlace(),
  PostgreSQL: async () => openPlace(await emptyPostgres()),
};
