// npm start: sets up whatever is missing, then serves the production build.
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { readBasePath } from './setup/base-path.mjs'
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { isNextBanner } from './setup/next-banner.mjs'
import { serverEntry } from './setup/paths.mjs'
import { orExit, start } from './setup/run.mjs'
import { untilAnswered } from './setup/until-up.mjs'

const port = Number(process.env.PORT ?? 3000)
// Only this machine by default: conversations are private, and a plain-HTTP address elsewhere would lack the browser's
// secure-context features (locks, hashes) that running a call exactly once relies on.
const host = process.env.HOST ?? '127.0.0.1'
const basePath = readBasePath()

if (!Number.isInteger(port) || port < 1 || port > 65535) {
  orExit(2, `PORT must be a number from 1 to 65535, not “${process.env.PORT}”.`)
}

const portIsFree = () =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(error.code !== 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

if (!(await portIsFree())) {
  orExit(1, `Port ${port} is in use. Stop what runs there, or choose another one: PORT=${port + 1} npm start`)
}
await ensureInstalled()
await ensureBuilt()

const shown = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host
const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
const env = { PORT: String(port), HOST: host, NOD_BASE_PATH: basePath }
const { child, exited } = start('node', [serverEntry()], { env, stdio: ['inherit', 'pipe', 'inherit'] })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))

// Server output before its address is printed is held back, so that the address comes first.
const early = []
let told = false
createInterface({ input: child.stdout }).on('line', (line) => {
  if (isNextBanner(line)) return
  if (told) console.log(line)
  else early.push(line)
})
const ended = new AbortController()
void exited.then(() => ended.abort())
const healthy = await untilAnswered(
  `http://${asked.includes(':') ? `[${asked}]` : asked}:${port}${basePath}/api/health`,
  ended.signal,
)
if (healthy !== null) console.log(`\n  Nod: http://${shown}:${port}${basePath}\n`)
told = true
for (const line of early) console.log(line)
process.exitCode = await exited
