new Promise((done) => {
  // What fills the window may be scrolled in its place.
  let box = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const height = () => ask(box, 'scrollHeight');
  const scrolls = () => height() > ask(box, 'clientHeight') && /auto|scroll/.test(getComputedStyle(box).overflowY);
  while (box && !scrolls()) box = ask(box, 'parentElement');
  box ??= document.scrollingElement ?? document.documentElement;
  const before = height();
  if (before <= ask(box, 'clientHeight')) return done(false);
  ask(box, 'scrollTo', 0, before);
  // Whoever listens to scrolling hears of it with the next frame, unless there is none.
  const grew = () => done(height() > before);
  let due = setTimeout(grew, 1000);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    clearTimeout(due);
    due = setTimeout(grew, 100);
  }));
})
