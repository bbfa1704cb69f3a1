new Promise((done) => {
  const height = () => document.documentElement.scrollHeight;
  const before = height();
  window.scrollTo(0, before);
  setTimeout(() => done(height() > before), 100);
})
