// Loaded before the server (node --expose-gc --require), and so before each of its workers: asked over IPC, it reports
// the usage of all serving processes, and resets the measured loop delays.
const cluster = require('node:cluster')
const { monitorEventLoopDelay } = require('node:perf_hooks')

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

function own(question) {
  if (question === 'collect') for (let n = 0; n < 4; n += 1) globalThis.gc()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  const report = { cpuUs: user + system, heapUsed, rss, loopP99Ms: delay.percentile(99) / 1e6 }
  delay.reset()
  return report
}

/** Counters are summed; of the loop delays the largest counts. */
const joined = (reports) =>
  reports.reduce((all, one) => ({
    cpuUs: all.cpuUs + one.cpuUs,
    heapUsed: all.heapUsed + one.heapUsed,
    rss: all.rss + one.rss,
    loopP99Ms: Math.max(all.loopP99Ms, one.loopP99Ms),
  }))

const ofWorker = (worker, question) =>
  new Promise((resolve) => {
    const hear = (message) => {
      if (message.type !== 'bench-report') return
      worker.off('message', hear)
      resolve(message.report)
    }
    worker.on('message', hear)
    worker.send({ type: 'bench-question', question })
  })

process.on('message', (message) => {
  if (cluster.isWorker) {
    if (message.type === 'bench-question') process.send({ type: 'bench-report', report: own(message.question) })
  } else if (message === 'report' || message === 'collect') {
    const workers = Object.values(cluster.workers ?? {})
    void Promise.all([Promise.resolve(own(message)), ...workers.map((worker) => ofWorker(worker, message))]).then(
      (reports) => process.send(joined(reports)),
    )
  }
})
