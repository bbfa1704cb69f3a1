(() => {
  const none = () => undefined;
  for (const name of ['alert', 'print', 'open', 'stop']) window[name] = none;
  window.confirm = () => false;
  window.prompt = () => null;
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name];
})();
