() => {
  const MAX_MARKS = 40;
  const MAX_LOOKED_AT = 20000;
  const all = (root) => [...root.querySelectorAll('*')];
  const live = all(document);
  // Elements that the page has made its own stand still in a document that is not shown.
  const inert = document.implementation.createHTMLDocument('');
  const copy = inert.importNode(document.documentElement, true);
  const copies = [copy, ...all(copy)];
  const isHost = (element) => ask(element, 'shadowRoot') !== null;
  // What lies in open shadow roots is shown, and no clone has it.
  const fill = (host, into) => {
    const children = [...into.childNodes];
    const inner = inert.createElement('div');
    inner.append(...[...host.shadowRoot.childNodes].map((node) => inert.importNode(node, true)));
    const hosts = all(host.shadowRoot);
    all(inner).forEach((element, at) => isHost(hosts[at]) && fill(hosts[at], element));
    into.replaceChildren(...inner.childNodes);
    for (const slot of into.querySelectorAll('slot')) {
      const name = slot.getAttribute('name') ?? '';
      slot.append(...children.filter((child) => (ask(child, 'getAttribute', 'slot') ?? '') === name));
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
    // Forms are among those: what is left has no names of its own.
    if (ask(element, 'closest', no) || element.querySelector(leads) || !element.textContent.trim()) continue;
    if (element === document.body || !(element.matches(links) || element.matches(buttons) || isPointed())) continue;
    element.setAttribute('data-wayfile', marked);
    copies[at].setAttribute('data-wayfile', marked);
    marked += 1;
  }
  live.forEach((element, at) => isHost(element) && fill(element, copies[at]));
  copy.querySelectorAll('noscript').forEach((element) => element.remove());
  globalThis.copy = copy;
  return marked;
}
