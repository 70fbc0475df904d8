// Runs the body of an async function as a script in Node: its value or error goes to descriptor 3 as JSON.
import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const code = readFileSync(process.argv[2], 'utf8')
const root = process.cwd()
const main = path.join(root, 'code.js')
process.argv = [process.argv[0], main]
const own = { exports: {} }
const require = createRequire(main)
require.main = own
const AsyncFunction = (async () => {}).constructor
const run = new AsyncFunction('require', 'module', 'exports', '__filename', '__dirname', code)
const tell = (result) => writeSync(3, JSON.stringify(result))
try {
  tell({ value: await run(require, own, own.exports, main, root) })
} catch (thrown) {
  tell({ threw: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown) })
}
