new Promise((done) => {
  const height = () => document.documentElement.scrollHeight;
  const before = height();
  window.scrollTo(0, before);
  // Whoever listens to scrolling hears of it with the next frame, unless there is none.
  let due = setTimeout(() => done(height() > before), 1000);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    clearTimeout(due);
    due = setTimeout(() => done(height() > before), 100);
  }));
})
