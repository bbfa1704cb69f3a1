new Promise((done) => {
  const started = Date.now();
  let last = -1;
  const look = () => {
    const size = document.body ? document.body.innerText.trim().length : 0;
    if ((size === last && size >= 40) || Date.now() - started > 2000) return done(size);
    last = size;
    setTimeout(look, 100);
  };
  look();
})
