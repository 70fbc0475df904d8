import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { serverEntry } from '../../scripts/setup/paths.mjs'

export interface Heap {
  readonly heapUsed: number
  readonly rss: number
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** The production build on its own data folder, whose heap can be queried. */
export async function startServer(
  upstream: string,
  over: {
    readonly preload?: string
    readonly env?: Readonly<Record<string, string>>
    /** Left out: this folder's. */
    readonly build?: string
    /** For Node. */
    readonly flags?: readonly string[]
  } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nod-bench-'))
  const port = await freePort()
  const preload = over.preload ?? join(import.meta.dirname, 'report-heap.cjs')
  const node = ['--expose-gc', '--require', preload, ...(over.flags ?? [])]
  const child = spawn(process.execPath, [...node, serverEntry(over.build)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NOD_DATA_DIR: dataDir,
      NOD_OLLAMA: 'off',
      NOD_OPENAI_COMPATIBLE_URL: upstream,
      NOD_OPENAI_COMPATIBLE_MODELS: 'm',
      NOD_RATE_BURST: '100000',
      DATABASE_URL: '',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...over.env,
    },
  })
  // The server ends with this script, however it ends.
  const withProcess = () => child.kill('SIGKILL')
  process.once('exit', withProcess)
  const base = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await fetch(`${base}/api/ready`).catch(() => null))?.ok; tries += 1) {
    if (tries > 300 || child.exitCode !== null) {
      child.kill('SIGKILL')
      throw new Error('the server did not start')
    }
    await wait(100)
  }
  /** The answer of the preloaded script. */
  async function ask<Report>(question: string): Promise<Report> {
    const answered = once(child, 'message')
    child.send(question)
    const [report] = (await answered) as [Report]
    return report
  }
  return {
    base,
    ask,
    heap: () => ask<Heap>('heap'),
    async close(): Promise<void> {
      process.removeListener('exit', withProcess)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
