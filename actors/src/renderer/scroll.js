new Promise((done) => {
  // What fills the window may be scrolled in its place.
  let box = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const scrolls = () => box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY);
  while (box && !scrolls()) box = box.parentElement;
  box ??= document.scrollingElement ?? document.documentElement;
  const before = box.scrollHeight;
  if (before <= box.clientHeight) return done(false);
  box.scrollTo(0, before);
  // Whoever listens to scrolling hears of it with the next frame, unless there is none.
  const grew = () => done(box.scrollHeight > before);
  let due = setTimeout(grew, 1000);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    clearTimeout(due);
    due = setTimeout(grew, 100);
  }));
})
