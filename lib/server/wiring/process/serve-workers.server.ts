import { monotonicClock } from '@/lib/base/clocks'
import cluster, { type Worker as Process } from 'node:cluster'
import { t } from '@/lib/i18n/t'
import { supervise } from '@/lib/server/serving/supervise'
import {
  type FromWorker,
  type ToWorker,
  createWorkerQuestions,
  createWorkerHandoffs,
} from '@/lib/server/serving/worker-messages'
import { logProblem } from '../log/log.server'

const after = (ms: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, ms)
  return () => clearTimeout(timer)
}

/**
 * Keeps this many processes serving on one port, and distributes new connections to them in turn. Contains nothing of
 * the app itself.
 */
export async function serveByWorkers(count: number): Promise<void> {
  const processes = new Map<number, Process>()
  const sendTo = (worker: Process | undefined, message: ToWorker): void => {
    if (worker?.isConnected() === true) worker.send(message, undefined, undefined, () => undefined)
  }
  const send = (place: number, message: ToWorker) => sendTo(processes.get(place), message)
  const questions = createWorkerQuestions({ places: () => [...processes.keys()], send, after })
  const handoffs = createWorkerHandoffs()

  cluster.schedulingPolicy = cluster.SCHED_RR
  const supervisor = supervise({
    count,
    monotonic: monotonicClock,
    after,
    log: (line) => logProblem(line),
    fork(place, isFirst, { listening, exit }) {
      const worker = cluster.fork({
        NOD_WORKER_ID: String(place),
        ...(isFirst ? {} : { NOD_WORKER_REPLACES: '1' }),
      })
      processes.set(place, worker)
      worker.once('listening', listening)
      // Node queues messages to a process until it listens.
      const handoff = handoffs.born((message) => sendTo(worker, message))
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'nod-handoff') handoff.hear(message)
        else if (message.type === 'nod-holds') send(place, handoffs.answer(message))
        else questions.hear(place, message)
      })
      worker.once('exit', (code: number | null, signal: string | null) => {
        processes.delete(place)
        questions.forget(place)
        handoff.open()
        const how = signal === null ? t('serve.code', { code: code ?? 0 }) : t('serve.signal', { signal })
        exit(how, code ?? 0)
      })
      return { pid: worker.process.pid ?? 0, stop: (signal) => void worker.process.kill(signal) }
    },
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop(signal))
  process.exitCode = await supervisor.ended
}
