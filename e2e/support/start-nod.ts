import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isFreePort } from '@/scripts/setup/free-ports.mjs'
import { serverEntry } from '@/scripts/setup/paths.mjs'
import { basePath } from './addresses'
import { serverEnv } from './server-env'

export interface RunningNod {
  /** The supervisor's, if it has workers. */
  readonly pid: number
  /** Its error output so far. */
  said(): string
  /** SIGKILL, like a crash: nothing is cleaned up. */
  kill(): Promise<void>
  /** SIGSTOP until SIGCONT: it stalls as on an overloaded machine, and keeps all its connections. */
  stand(): void
  goOn(): void
  /** SIGTERM, as for a restart; resolves to the exit code once it has ended by itself, null if it was killed. */
  end(): Promise<number | null>
}

/**
 * Starts a server that the caller may kill; it never outlives this process. Throws if the port is in use (its answers
 * would be taken for this server's), if the server ends by itself, or is not up within 30 s; in each case nothing is
 * left running.
 */
export async function startNod(options: {
  port: number
  dataDir: string
  env?: Record<string, string>
  /** The folder of another build; left out: this one's. */
  project?: string | undefined
}): Promise<RunningNod> {
  if (!(await isFreePort(options.port))) throw new Error(`port ${options.port} is in use by something else`)
  const address = { HOST: '127.0.0.1', PORT: String(options.port) }
  const env = { ...process.env, ...serverEnv(options.dataDir), ...address, ...options.env }
  const child = spawn(process.execPath, [serverEntry(options.project)], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const said: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 200) said.push(chunk)
  })
  const withProcess = () => child.kill('SIGKILL')
  process.once('exit', withProcess)
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await exited
    }
    process.removeListener('exit', withProcess)
    return child.exitCode
  }
  const kill = async () => {
    process.removeListener('exit', withProcess)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await exited
  }

  const words = () => Buffer.concat(said).toString('utf8').trim()
  const health = `http://127.0.0.1:${options.port}${basePath}/api/ready`
  const deadline = Date.now() + 30_000
  while (!(await fetch(health).catch(() => null))?.ok) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await kill()
      throw new Error(`the server did not start: ${words() || 'it said nothing'}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    pid: child.pid ?? 0,
    said: words,
    kill,
    end,
    stand: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
  }
}
