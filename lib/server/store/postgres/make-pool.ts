import pg from 'pg'

const INT8_OID = 20

/** pg gives int8 (our times and counts) as strings; they fit a number. Not set globally: other users of pg may differ. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** A server that answers nobody is known to be away by then. */
const CONNECT_MS = 5_000
/** Whoever waits for others to give a connection back under load waits longer, and is answered late and not refused. */
const IN_LINE_MS = 15_000

class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS })
  }
}

/**
 * Connections that come and go. One that breaks while it is in use fails the query that uses it; without a listener of its own it would
 * end the process as well, as the pool listens to idle ones alone.
 */
export function makePool(connectionString: string, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: IN_LINE_MS,
    types,
    Client,
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
