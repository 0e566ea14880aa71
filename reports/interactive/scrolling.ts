/** Tables that are wider than their page can be scrolled by keys. */
export function focusWideTables(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isWide = target.scrollWidth > target.clientWidth;
      const caption = target.querySelector('caption')?.textContent ?? 'table';
      const attributes = { tabindex: '0', role: 'region', 'aria-label': caption };
      for (const [name, value] of Object.entries(attributes)) {
        if (isWide) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });
  for (const box of document.querySelectorAll('div.scroll')) observer.observe(box);
}
