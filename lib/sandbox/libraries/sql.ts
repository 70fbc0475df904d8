import initSqlJs from 'sql.js'
import wasm from 'sql.js/dist/sql-wasm-browser.wasm'
import { serveFiles } from '../frame/documents/serve-reader'
import { runSql } from '../sql/run-sql'
import type { SqlOrder } from '../sql-query'

serveFiles(async (order, files, { show }) => {
  // Trusted: the tool writes the order, and the model's text is one field of it.
  const { query } = JSON.parse(order) as SqlOrder
  const sql = await initSqlJs({ wasmBinary: wasm.buffer })
  const loaded = await Promise.all(files.map(async ({ path, data }) => ({ path, data: await data() })))
  return runSql(sql, { query }, loaded, (table) => show('table', table))
})
