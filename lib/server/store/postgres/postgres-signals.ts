import pg from 'pg'
import type { StoreSignals } from '../ports/store'

const CHANNEL = 'nod_signals'
/** A message that a process sends to itself; others ignore it. */
const HELLO = 'hello '
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 30_000

export interface PostgresSignals extends StoreSignals {
  close(): Promise<void>
}

/**
 * LISTEN and NOTIFY over a separate connection, which is reopened when it breaks. It counts as listening only once it
 * has received its own message. Behind a pooler that assigns connections per transaction (PgBouncer) that never
 * happens.
 */
export function createPostgresSignals(
  connectionString: string,
  {
    pool,
    hold,
  }: {
    readonly pool: pg.Pool
    /** Called with each connection that proved to belong to this process alone. */
    readonly hold: (client: pg.Client) => Promise<void>
  },
): PostgresSignals {
  const hello = `${HELLO}${crypto.randomUUID()}`
  const listeners = new Set<(text: string) => void>()
  const watchers = new Set<() => void>()
  let client: pg.Client | null = null
  let isListening = false
  let isClosed = false
  let retryMs = FIRST_RETRY_MS
  let retry: ReturnType<typeof setTimeout> | undefined

  function send(text: string): void {
    pool.query('select pg_notify($1, $2)', [CHANNEL, text]).catch(() => {})
  }

  /** Runs once per connection, however it ends. */
  function lost(of: pg.Client): void {
    if (client !== of) return
    client = null
    isListening = false
    void of.end().catch(() => {})
    if (isClosed) return
    for (const onBreak of watchers) onBreak()
    retry = setTimeout(connect, retryMs)
    retry.unref()
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  function connect(): void {
    if (isClosed) return
    const own = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, keepAlive: true })
    client = own
    own.on('error', () => lost(own))
    own.on('end', () => lost(own))
    own.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(HELLO)) for (const listener of listeners) listener(payload)
      if (payload !== hello || client !== own) return
      void hold(own)
      isListening = true
      retryMs = FIRST_RETRY_MS
    })
    own
      .connect()
      .then(() => own.query(`listen ${CHANNEL}`))
      .then(
        () => send(hello),
        () => lost(own),
      )
  }
  connect()

  return {
    send,
    listen: (onSignal) => void listeners.add(onSignal),
    isListening: () => isListening,
    watchBreaks: (onBreak) => void watchers.add(onBreak),
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
