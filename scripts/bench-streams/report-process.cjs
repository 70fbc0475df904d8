// Loaded before the server (node --expose-gc --require): asked over IPC, it says what the process has used, and starts
// counting the delays of its loop anew.
const { monitorEventLoopDelay } = require('node:perf_hooks')

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

process.on('message', (message) => {
  if (message !== 'report' && message !== 'collect') return
  if (message === 'collect') for (let n = 0; n < 4; n += 1) globalThis.gc()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  process.send({ cpuUs: user + system, heapUsed, rss, loopP99Ms: delay.percentile(99) / 1e6 })
  delay.reset()
})
