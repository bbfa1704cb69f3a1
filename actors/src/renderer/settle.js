new Promise((done) => {
  const PAUSE = 100;
  const MAX_LOOKS = 20;
  let looks = 0;
  let last = -1;
  let due = Date.now();
  const length = (element) => (ask(element, 'localName') === 'style' ? 0 : ask(element, 'innerText')?.trim().length ?? 0);
  // What lies in shadow roots is no text of what holds them.
  const hidden = (root) => [...root.querySelectorAll('*')].map((host) => ask(host, 'shadowRoot')).filter(Boolean)
    .reduce((sum, inner) => sum + [...inner.children].map(length).reduce((a, b) => a + b, hidden(inner)), 0);
  const look = () => {
    let size = document.body ? length(document.body) : 0;
    if (size < 40) size += hidden(document);
    // Where timers are late, the page or the machine is busy, and what has not changed may be about to.
    const isLate = Date.now() - due > PAUSE;
    if ((size === last && size >= 40 && !isLate) || looks === MAX_LOOKS) return done(size);
    looks += 1;
    last = size;
    due = Date.now() + PAUSE;
    setTimeout(look, PAUSE);
  };
  look();
})
