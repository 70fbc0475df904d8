import { spawn } from 'node:child_process'
import { bundledScript } from '@/scripts/test/bundled-script.mjs'
import type { QuotaTotals } from './race-quotas'
import type { WorkerReport, WorkerTask } from './store-process'

/** The results of all processes: accepted appends, granted decisions, stored rows. */
export interface ProcessTotals {
  readonly starts: number
  readonly appended: number
  readonly granted: number
  readonly messages: number
  /** Conversations whose messages are not exactly the appended ones in order. */
  readonly gaps: number
  /** Of 52 concurrent requests of each kind. */
  readonly quotas: QuotaTotals
}

/** `signal` ends it. */
function runOne(script: string, task: WorkerTask, signal?: AbortSignal): Promise<WorkerReport> {
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve(JSON.parse(out) as WorkerReport)
      else reject(new Error(`a store process ended with ${code}: ${errors}`))
    })
  })
}

/**
 * Starts `count` processes on one empty database at the same time; each migrates, appends the given number, and
 * decides. `signal` ends them.
 */
export async function runStoreProcesses(
  target: Pick<WorkerTask, 'kind' | 'target'>,
  { count, appends }: { readonly count: number; readonly appends: number },
  signal: AbortSignal,
): Promise<ProcessTotals> {
  // If one fails, the others would wait for what it holds.
  const failed = new AbortController()
  const all = AbortSignal.any([failed.signal, signal])
  const script = await bundledScript('lib/server/store/testing/store-process.ts')
  const workers = Array.from({ length: count }, (_, index) =>
    runOne(script, { ...target, index, appends, calls: 10, races: Math.floor(52 / count), processes: count }, all),
  )
  const reports = await Promise.all(workers).finally(() => failed.abort())
  const last = await runOne(script, { ...target, index: count, appends: 0, calls: 0, races: 0, processes: 0 })
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
