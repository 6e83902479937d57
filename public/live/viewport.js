// @ts-check
// With the phone's keyboard open the page is as high as what is seen of it, so that the buttons stay reachable (D11).
export function followViewport() {
  const seen = window.visualViewport;
  if (!seen) return;
  const measure = () => {
    const covered = innerHeight - seen.height > 80 && seen.scale === 1;
    const { style } = document.documentElement;
    if (covered) style.setProperty("--page-h", `${seen.height}px`);
    else style.removeProperty("--page-h");
    if (covered) scrollTo(0, 0);
  };
  seen.addEventListener("resize", measure);
  measure();
}
