import pg from 'pg'
import { types } from './postgres-types'

/**
 * Connections that come and go. One that breaks while it is in use fails the query that uses it; without a listener of its own it would
 * end the process as well, as the pool listens to idle ones alone.
 */
export function makePool(connectionString: string, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: maxConnections, connectionTimeoutMillis: 5000, types })
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
