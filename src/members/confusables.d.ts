declare module "unicode-confusables" {
  /** Replaces each confusable character by its prototype (UTS 39). */
  export function rectifyConfusion(text: string): string;
}
