() => {
  const MAX_MARKS = 40;
  const MAX_LOOKED_AT = 20000;
  const all = (root) => [...root.querySelectorAll('*')];
  const live = all(document);
  const copy = document.documentElement.cloneNode(true);
  const copies = [copy, ...all(copy)];
  // What lies in open shadow roots is shown, and no clone has it.
  const fill = (host, into) => {
    const children = [...into.childNodes];
    const inner = document.createElement('div');
    inner.append(...[...host.shadowRoot.childNodes].map((node) => node.cloneNode(true)));
    const hosts = all(host.shadowRoot);
    all(inner).forEach((element, at) => hosts[at]?.shadowRoot && fill(hosts[at], element));
    into.replaceChildren(...inner.childNodes);
    for (const slot of into.querySelectorAll('slot')) {
      const name = slot.getAttribute('name') ?? '';
      slot.append(...children.filter((child) => (child.getAttribute?.('slot') ?? '') === name));
    }
  };
  const links = 'a, [role=link], [role=menuitem], [routerlink], [data-href], [data-to], [onclick]';
  const buttons = 'nav button, header button, aside button, [role=navigation] button';
  const leads = 'a[href]:not([href=""], [href^="#"], [href^="javascript:" i])';
  const no = `${leads}, form, form *, input, select, textarea, label, summary, option, [data-wayfile]`;
  let marked = 0;
  for (const [at, element] of live.slice(0, MAX_LOOKED_AT).entries()) {
    if (marked === MAX_MARKS) break;
    const isPointed = () => getComputedStyle(element).cursor === 'pointer';
    if (element.closest(no) || element.querySelector(leads) || !element.textContent.trim()) continue;
    if (element === document.body || !(element.matches(links) || element.matches(buttons) || isPointed())) continue;
    element.setAttribute('data-wayfile', marked);
    copies[at].setAttribute('data-wayfile', marked);
    marked += 1;
  }
  live.forEach((element, at) => element.shadowRoot && fill(element, copies[at]));
  copy.querySelectorAll('noscript').forEach((element) => element.remove());
  globalThis.copy = copy;
  return marked;
}
