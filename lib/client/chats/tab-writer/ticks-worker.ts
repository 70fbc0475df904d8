// The clock of a tab that writes a reply. Bundled into /workers/ticks.js by scripts/build-sandbox.mjs.

self.onmessage = ({ data: { id, ms } }: MessageEvent<{ readonly id: number; readonly ms: number }>) => {
  setTimeout(() => self.postMessage(id), ms)
}
