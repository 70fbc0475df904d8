import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface TestPooler {
  /** The connection string of this database through the pooler. */
  url(name: string): string
  stop(): Promise<void>
}

const PORT = 6543
const STARTS_WITHIN_MS = 10_000

/** Like the shell of the server: it stops the pooler and removes its folder when our pipe ends, however this ends. */
const LIFE_LINE =
  '"$0" "$1/pooler.ini" </dev/null & pid=$!; trap "" INT TERM; read -r _; kill -INT $pid; wait $pid; rm -rf "$1"'

/**
 * PgBouncer in transaction mode in front of a test's own PostgreSQL: each transaction may get another connection, so
 * that nothing of a session is kept. `program` is its path; `host` the folder of the server's socket.
 */
export async function startTestPooler(program: string, host: string, identity: { uid?: number; gid?: number }) {
  const dir = mkdtempSync(join(tmpdir(), 'nod-pool-'))
  writeFileSync(join(dir, 'users.txt'), '"postgres" ""\n')
  writeFileSync(
    join(dir, 'pooler.ini'),
    `[databases]
* = host=${host}
[pgbouncer]
pool_mode = transaction
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${dir}
auth_type = trust
auth_file = ${join(dir, 'users.txt')}
max_client_conn = 500
default_pool_size = 20
`,
  )
  if (identity.uid !== undefined)
    for (const name of ['', 'users.txt', 'pooler.ini']) chownSync(join(dir, name), identity.uid, identity.uid)
  const shell = spawn('/bin/sh', ['-c', LIFE_LINE, program, dir], {
    ...identity,
    cwd: dir,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let log = ''
  shell.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const exited = new Promise<void>((resolve) => shell.on('exit', () => resolve()))
  const socket = join(dir, `.s.PGSQL.${PORT}`)
  for (let waited = 0; !existsSync(socket); waited += 50) {
    if (waited > STARTS_WITHIN_MS || shell.exitCode !== null) throw new Error(`The pooler did not start: ${log}`)
    await wait(50)
  }
  const pooler: TestPooler = {
    url: (name) => `postgresql://postgres@/${name}?host=${encodeURIComponent(dir)}&port=${PORT}`,
    stop: () => {
      shell.stdin.end()
      return exited
    },
  }
  return pooler
}
