import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { serverEnv } from './server-env'

export interface RunningNod {
  /** SIGKILL, as a crash would: nothing gets to say goodbye. */
  kill(): Promise<void>
}

/** Starts a server of a test's own, that the test may kill. */
export async function startNod(options: {
  port: number
  dataDir: string
  env?: Record<string, string>
}): Promise<RunningNod> {
  const args = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(options.port)]
  const env = { ...process.env, ...serverEnv(options.dataDir), ...options.env }
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const health = `http://127.0.0.1:${options.port}/api/health`
  const deadline = Date.now() + 30_000
  while (!(await fetch(health).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('the server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await exited
      }
    },
  }
}
