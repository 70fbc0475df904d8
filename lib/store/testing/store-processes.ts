import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { QuotaTotals } from './race-quotas'
import type { WorkerReport, WorkerTask } from './store-process'

/** What all processes did together: appends that were let through, decisions that were granted, rows that stand. */
export interface ProcessTotals {
  readonly starts: number
  readonly appended: number
  readonly granted: number
  readonly messages: number
  /** Conversations whose messages are not exactly the appended ones in order. */
  readonly gaps: number
  /** Of 52 of each that were asked by all at once. */
  readonly quotas: QuotaTotals
}

function runOne(task: WorkerTask): Promise<WorkerReport> {
  const tsx = createRequire(import.meta.url).resolve('tsx/cli')
  const script = fileURLToPath(new URL('./store-process.ts', import.meta.url))
  const child = spawn(process.execPath, [tsx, script, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(out) as WorkerReport)
      else reject(new Error(`a store process ended with ${code}: ${errors}`))
    })
  })
}

/** Starts `count` processes on one empty database at the same time; each migrates, appends and decides. */
export async function runStoreProcesses(
  target: Pick<WorkerTask, 'kind' | 'target'>,
  count: number,
): Promise<ProcessTotals> {
  const workers = Array.from({ length: count }, (_, index) =>
    runOne({ ...target, index, appends: 20, calls: 10, races: Math.floor(52 / count), processes: count }),
  )
  const reports = await Promise.all(workers)
  const last = await runOne({ ...target, index: count, appends: 0, calls: 0, races: 0, processes: 0 })
  const sum = (pick: (report: WorkerReport) => number) => reports.reduce((total, report) => total + pick(report), 0)
  return {
    starts: reports.length,
    appended: sum((report) => report.appended),
    granted: sum((report) => report.granted),
    messages: last.messages,
    gaps: last.gaps,
    quotas: {
      running: sum(({ quotas }) => quotas?.running ?? 0),
      queued: sum(({ quotas }) => quotas?.queued ?? 0),
      spent: sum(({ quotas }) => quotas?.spent ?? 0),
      requests: sum(({ quotas }) => quotas?.requests ?? 0),
    },
  }
}
