import { isWrite, planName } from '../database/database-time'
import pg from 'pg'

const INT8_OID = 20

/**
 * pg returns int8 (our times and counts) as strings; they fit a number. Not set globally: other users of pg may differ.
 */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** A server that has not responded by then counts as unavailable. */
const CONNECT_MS = 5_000
/** Under load, a request waits longer for a pooled connection, so that it is answered late instead of refused. */
const IN_LINE_MS = 15_000

class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS })
  }
}

/**
 * A connection pool. A connection that breaks while it is in use fails its query; without its own error listener it
 * would also end the process, because the pool only listens to idle ones.
 */
export function makePool(
  connectionString: string,
  maxConnections: number,
  /** Whether each connection belongs to this process alone, so that statements can be prepared on it. */
  isDirect: () => boolean = () => false,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    pipeline: true,
    connectionTimeoutMillis: IN_LINE_MS,
    types,
    Client,
  })
  pool.on('connect', (client) => {
    client.on('error', () => {})
    sendAhead(client, isDirect)
  })
  return pool
}

const NO_ANSWER = { command: 'INSERT', rowCount: 0, rows: [] }
const READ_ONLY = /^start transaction\b.*\bread only$/

/**
 * Makes a transaction wait for PostgreSQL less often, on connections of this process alone; under load each answer waits
 * for the event loop. Statements that nobody reads the answer of (`isWrite`) are sent at once and answered in order: the
 * error of one fails the next statement that is waited for, and at the latest the commit. The begin and the end of a
 * transaction that only reads are not waited for, either. Frequent statements are prepared (`planName`).
 */
function sendAhead(client: pg.PoolClient, isDirect: () => boolean): void {
  const send = client.query.bind(client) as (...args: readonly unknown[]) => unknown
  let failed: Error | null = null
  let onlyReads = false
  const keepFirst = (error: Error | null) => void (failed ??= error)
  const takeFailed = () => {
    const error = failed
    failed = null
    return error
  }

  const named = (text: string, values: unknown) => {
    const name = Array.isArray(values) && isDirect() ? planName(text) : undefined
    return name === undefined ? { text, values } : { name, text, values }
  }

  async function inOrder(text: string, values: unknown): Promise<unknown> {
    if (READ_ONLY.test(text) && isDirect()) {
      onlyReads = true
      send(text, keepFirst)
      return NO_ANSWER
    }
    if (text === 'commit' && onlyReads) {
      onlyReads = false
      send(text, () => {})
      return { ...NO_ANSWER, command: 'COMMIT' }
    }
    if (isWrite(text) && isDirect() && client.getTransactionStatus() === 'T') {
      send(named(text, values), keepFirst)
      return NO_ANSWER
    }
    try {
      const answer = await send(named(text, values))
      const earlier = takeFailed()
      if (earlier && text !== 'rollback') throw earlier
      return answer
    } catch (error) {
      throw takeFailed() ?? error
    } finally {
      if (text === 'rollback') onlyReads = false
    }
  }

  const query = (text: unknown, values: unknown, ...rest: readonly unknown[]) => {
    if (typeof text !== 'string' || typeof values === 'function') return send(text, values, ...rest)
    return rest.length === 0 ? inOrder(text, values) : send(named(text, values), ...rest)
  }
  Object.assign(client, { query })
}
