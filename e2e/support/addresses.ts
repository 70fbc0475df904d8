/** Fixed ports, far from the usual ones, so that a developer's own server can stay up during the tests. */
export const appUrl = 'http://localhost:4310'
export const modelServerUrl = 'http://127.0.0.1:4311'
export const restartPort = 4312

/** Chromium without a GPU, a sandbox of its own (root in containers), or chatter of its own on the network. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
