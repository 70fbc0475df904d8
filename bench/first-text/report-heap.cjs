// Loaded before the server (node --expose-gc --require): asked over IPC, it reports the heap in use after a collection.
process.on('message', (message) => {
  if (message !== 'heap') return
  for (let n = 0; n < 4; n += 1) globalThis.gc()
  process.send({ heapUsed: process.memoryUsage().heapUsed, rss: process.memoryUsage().rss })
})
