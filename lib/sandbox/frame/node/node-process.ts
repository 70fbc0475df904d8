import { Buffer, EventEmitter, stream } from './zenfs'
import { fsError } from './node-error'
import { posixPath } from '../modules/resolve'
import { scratchFolder } from './layer'

export interface ProcessPorts {
  readonly cwd: () => string
  readonly moveTo: (folder: string) => void
  /** Null: nothing exists there. */
  readonly kindAt: (path: string) => 'file' | 'folder' | null
  readonly print: (level: 'log' | 'error', text: string) => void
  /** Ends the run; does not return. */
  readonly exit: (code: number) => never
  /** Milliseconds since the run began. */
  readonly elapsed: () => number
}

/** Prints `stdout` line by line; the last line when the run is over. */
function createOutput(print: (text: string) => void) {
  let rest = ''
  class Output extends stream.Writable {
    readonly isTTY = false
    readonly columns = 80
    // Synchronous, so that output keeps its order relative to the console.
    override write(chunk: unknown, ...more: unknown[]): boolean {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) print(line)
      const done = more.at(-1)
      if (typeof done === 'function') queueMicrotask(done as () => void)
      return true
    }
    override end(): this {
      return this
    }
    override _write(chunk: unknown, _encoding: unknown, done: () => void): void {
      this.write(chunk)
      done()
    }
  }
  const flush = () => {
    if (rest !== '') print(rest)
    rest = ''
  }
  return { output: new Output(), flush }
}

const version = 'v24.0.0'

export function createProcess({ cwd, moveTo, kindAt, print, exit, elapsed }: ProcessPorts) {
  const [out, errors] = [createOutput((text) => print('log', text)), createOutput((text) => print('error', text))]
  const hrtime = (since?: readonly [number, number]): [number, number] => {
    const nanoseconds = Math.round(elapsed() * 1e6)
    const now: [number, number] = [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9]
    if (since === undefined) return now
    const [seconds, rest] = [now[0] - since[0], now[1] - since[1]]
    return rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest]
  }
  const env: Record<string, string> = { HOME: '/', PWD: '/', TMPDIR: scratchFolder, LANG: 'C.UTF-8' }
  const memory = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }
  const process = Object.assign(new EventEmitter(), {
    argv: ['/usr/local/bin/node', '/code.js'],
    argv0: 'node',
    execArgv: [],
    execPath: '/usr/local/bin/node',
    env,
    pid: 1,
    ppid: 0,
    title: 'node',
    platform: 'linux',
    arch: 'x64',
    version,
    versions: { node: version.slice(1) },
    release: { name: 'node' },
    config: {},
    exitCode: undefined as number | undefined,
    cwd,
    chdir(to: string) {
      const folder = posixPath.resolve(cwd(), to)
      const kind = kindAt(folder)
      const code = kind === null ? 'ENOENT' : kind === 'file' ? 'ENOTDIR' : null
      if (code !== null) throw fsError({ code, syscall: 'chdir', path: cwd(), dest: to })
      moveTo(folder)
    },
    exit: (code?: number | string | null) => exit(Number(code ?? process.exitCode ?? 0)),
    abort: () => exit(134),
    nextTick: (task: (...values: unknown[]) => void, ...values: unknown[]) => queueMicrotask(() => task(...values)),
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.round(elapsed() * 1e6)) }),
    uptime: () => elapsed() / 1000,
    memoryUsage: Object.assign(() => ({ ...memory }), { rss: () => 0 }),
    cpuUsage: () => ({ user: Math.round(elapsed() * 1000), system: 0 }),
    umask: () => 0o022,
    getuid: () => 0,
    geteuid: () => 0,
    getgid: () => 0,
    getegid: () => 0,
    emitWarning: (text: unknown) =>
      print('error', `(node) Warning: ${String(text instanceof Error ? text.message : text)}`),
    stdout: out.output,
    stderr: errors.output,
    stdin: Object.assign(stream.Readable.from([]), { isTTY: false, fd: 0 }),
  })
  return {
    process,
    flush: () => {
      out.flush()
      errors.flush()
    },
  }
}
