(found, routes, folder, maxBytes) => {
  const copy = globalThis.copy;
  for (const [mark, url] of Object.entries(found)) {
    const element = copy.querySelector(`[data-wayfile="${mark}"]`);
    if (element?.localName === 'a') element.setAttribute('href', url);
    else if (element) {
      const link = document.createElement('a');
      link.setAttribute('href', url);
      link.append(...element.childNodes);
      element.append(link);
    }
  }
  // What opens a part of the page says what that part is about: it is text, however it is made.
  const says = (element) => ask(element, 'textContent').trim() !== '';
  for (const button of copy.querySelectorAll('button')) {
    const isTitle = button.hasAttribute('aria-expanded') && button.querySelector('h1, h2, h3, h4, h5, h6, strong');
    if (button.closest('nav, header, form')) continue;
    if (!isTitle && [...button.children].filter(says).length < 2) continue;
    const text = document.createElement('div');
    text.append(...button.childNodes);
    if (button.dataset.wayfile) text.dataset.wayfile = button.dataset.wayfile;
    button.replaceWith(text);
  }
  // Where the query of a link to this very page names a part of it, that is what others write behind the #.
  for (const link of copy.querySelectorAll('a[href*="?"]')) {
    const to = URL.parse(link.getAttribute('href'), document.baseURI);
    if (to?.origin !== location.origin || to.pathname !== location.pathname) continue;
    const part = [...to.searchParams.values()].find((value) => document.getElementById(value));
    if (part) link.setAttribute('href', `#${encodeURIComponent(part)}`);
  }
  // A route behind the # of a page that is made of Markdown is one of the files that it is made of.
  for (const link of folder ? copy.querySelectorAll('a[href^="#/"], a[href^="#!/"]') : []) {
    const [, route, part] = link.getAttribute('href').match(/^#!?\/([^?]*)(?:\?(?:.*&)?id=([^&]*))?/);
    const file = route.replace(/\/$/, '/README').replace(/(\.md)?$/, '.md');
    link.setAttribute('href', (route && folder + file) + (part ? `#${part}` : '') || location.pathname);
  }
  for (const url of routes) {
    const link = document.createElement('a');
    link.setAttribute('href', url);
    copy.querySelector('body')?.append(link);
  }
  const html = copy.outerHTML;
  return html.length <= maxBytes ? `<!doctype html>${html}` : null;
}
